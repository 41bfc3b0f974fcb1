/** A document as modelers write them: with a prefix, its layout, comments, notes, types with choices, and boxes of all kinds. */
export const lending = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by hand; nothing of it may change. -->
<dmn:definitions xmlns:dmn="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/"
    xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/" xmlns:x="https://example.com/x" id="lending" name="Lending" namespace="https://example.com/lending">
  <dmn:itemDefinition id="risk" name="tRisk"><dmn:typeRef>string</dmn:typeRef><dmn:allowedValues><dmn:text>"low", "medium", "high"</dmn:text></dmn:allowedValues></dmn:itemDefinition>
  <dmn:inputData id="class" name="Risk Class"><dmn:variable name="Risk Class" typeRef="tRisk"/></dmn:inputData>
  <dmn:inputData id="income" name="Yearly Income"><dmn:variable name="Yearly Income" typeRef="number"/></dmn:inputData>
  <dmn:inputData id="since" name="Since"><dmn:variable name="Since" typeRef="date"/></dmn:inputData>
  <dmn:businessKnowledgeModel id="monthly" name="Monthly"><dmn:variable name="Monthly" typeRef="number"/>
    <dmn:encapsulatedLogic><dmn:formalParameter name="amount" typeRef="number"/><dmn:literalExpression><dmn:text>amount / 12</dmn:text></dmn:literalExpression></dmn:encapsulatedLogic>
  </dmn:businessKnowledgeModel>
  <dmn:decision id="limit" name="Limit"><dmn:variable name="Limit" typeRef="number"/>
    <dmn:informationRequirement><dmn:requiredInput href="#income"/></dmn:informationRequirement>
    <dmn:knowledgeRequirement><dmn:requiredKnowledge href="#monthly"/></dmn:knowledgeRequirement>
    <dmn:context>
      <dmn:contextEntry><dmn:variable name="month"/><dmn:invocation><dmn:literalExpression><dmn:text>Monthly</dmn:text></dmn:literalExpression><dmn:binding><dmn:parameter name="amount"/><dmn:literalExpression><dmn:text>Yearly Income</dmn:text></dmn:literalExpression></dmn:binding></dmn:invocation></dmn:contextEntry>
      <dmn:contextEntry><dmn:literalExpression><dmn:text>month * 3</dmn:text></dmn:literalExpression></dmn:contextEntry>
    </dmn:context>
  </dmn:decision>
  <dmn:decision id="offer" name="Offer"><dmn:variable name="Offer" typeRef="string"/>
    <dmn:informationRequirement><dmn:requiredInput href="#class"/></dmn:informationRequirement>
    <dmn:informationRequirement><dmn:requiredInput href="#since"/></dmn:informationRequirement>
    <dmn:informationRequirement><dmn:requiredDecision href="#limit"/></dmn:informationRequirement>
    <dmn:decisionTable id="offers" hitPolicy="FIRST">
      <dmn:input id="i1" label="Risk"><dmn:inputExpression typeRef="string"><dmn:text>Risk Class</dmn:text></dmn:inputExpression></dmn:input>
      <dmn:input id="i2"><dmn:inputExpression typeRef="number"><dmn:text>Limit</dmn:text></dmn:inputExpression></dmn:input>
      <dmn:output id="o1" label="Offer" name="offer" typeRef="string"/>
      <dmn:annotation name="Why"/>
      <!-- the careful ones -->
      <dmn:rule id="careful" x:colour="a>b"><dmn:inputEntry id="e1"><dmn:text>"high"</dmn:text></dmn:inputEntry><dmn:inputEntry><dmn:text>-</dmn:text></dmn:inputEntry><dmn:outputEntry><dmn:text><![CDATA["none"]]></dmn:text></dmn:outputEntry><dmn:annotationEntry><dmn:text>too risky</dmn:text></dmn:annotationEntry></dmn:rule>
      <dmn:rule id="rich"><dmn:extensionElements><x:text>rule</x:text></dmn:extensionElements><dmn:inputEntry><dmn:text/></dmn:inputEntry><dmn:inputEntry>
          <dmn:text>&gt;= 1000</dmn:text>
        </dmn:inputEntry><dmn:outputEntry><dmn:text>"gold"</dmn:text></dmn:outputEntry><dmn:annotationEntry><dmn:text></dmn:text></dmn:annotationEntry></dmn:rule>
      <dmn:rule id="rest"><dmn:inputEntry><dmn:text>-</dmn:text></dmn:inputEntry><dmn:inputEntry><dmn:text>-</dmn:text></dmn:inputEntry><dmn:outputEntry><dmn:text>"silver"</dmn:text></dmn:outputEntry><dmn:annotationEntry><dmn:text></dmn:text></dmn:annotationEntry></dmn:rule>
    </dmn:decisionTable>
  </dmn:decision>
  <dmn:decisionService id="service" name="Lending service"><dmn:outputDecision href="#offer"/><dmn:inputData href="#class"/></dmn:decisionService>
  <dmndi:DMNDI><dmndi:DMNDiagram>
    <dmndi:DMNShape dmnElementRef="offer"><dc:Bounds x="300" y="60" width="180" height="80"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="limit"><dc:Bounds x="520" y="200" width="180" height="80"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="class"><dc:Bounds x="80" y="360" width="125" height="45"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="since"><dc:Bounds x="290" y="360" width="125" height="45"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="income"><dc:Bounds x="500" y="360" width="125" height="45"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="monthly"><dc:Bounds x="720" y="360" width="125" height="45"/></dmndi:DMNShape>
    <dmndi:DMNShape dmnElementRef="service"><dc:Bounds x="40" y="200" width="125" height="45"/></dmndi:DMNShape>
  </dmndi:DMNDiagram></dmndi:DMNDI>
</dmn:definitions>
`;
