import type { Model } from './models.js';

/** A decision's content with that document. */
export const dmn = (xml: string, tests?: readonly object[]): Model => ({
  contentType: 'application/dmn+xml',
  xml,
  ...(tests === undefined ? {} : { tests }),
});

/** A document of DMN 1.5 with those elements. */
export const definitions = (body: string, namespace = 'https://example.com/approval'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" id="d" name="Approval" namespace="${namespace}">
${body}
</definitions>
`;

/** Who gets a loan, by age and amount: a table with a hit policy of its own, and a decision that reads its result. */
export const approval =
  definitions(`  <inputData id="age" name="Applicant Age"><variable name="Applicant Age" typeRef="number"/></inputData>
  <inputData id="amount" name="Amount"><variable name="Amount" typeRef="number"/></inputData>
  <decision id="approval" name="Approval">
    <variable name="Approval" typeRef="string"/>
    <informationRequirement id="r1"><requiredInput href="#age"/></informationRequirement>
    <informationRequirement id="r2"><requiredInput href="#amount"/></informationRequirement>
    <decisionTable id="t" hitPolicy="UNIQUE">
      <input id="i1"><inputExpression typeRef="number"><text>Applicant Age</text></inputExpression></input>
      <input id="i2"><inputExpression typeRef="number"><text>Amount</text></inputExpression></input>
      <output id="o" name="Approval" typeRef="string"/>
      <rule id="young"><inputEntry><text>&lt; 18</text></inputEntry><inputEntry><text>-</text></inputEntry><outputEntry><text>"no"</text></outputEntry></rule>
      <rule id="small"><inputEntry><text>&gt;= 18</text></inputEntry><inputEntry><text>&lt;= 1000</text></inputEntry><outputEntry><text>"yes"</text></outputEntry></rule>
      <rule id="large"><inputEntry><text>&gt;= 18</text></inputEntry><inputEntry><text>&gt; 1000</text></inputEntry><outputEntry><text>"ask"</text></outputEntry></rule>
    </decisionTable>
  </decision>
  <decision id="letter" name="Letter">
    <variable name="Letter" typeRef="string"/>
    <informationRequirement id="r3"><requiredDecision href="#approval"/></informationRequirement>
    <literalExpression id="l"><text>"We say " + Approval</text></literalExpression>
  </decision>`);
