import Type, { type Static } from 'typebox';
import { exampleIds, Id, nullable, oneOf } from '../api/fields.js';

const Version = Type.Integer({ minimum: 0, description: '0 is the working copy' });
const Source = Type.String({ minLength: 1, maxLength: 2000 });

const Property = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    never: Type.Optional(Source),
    always: Type.Optional(Source),
  },
  {
    title: 'Property',
    additionalProperties: false,
    description: 'ZEN over `{fact, result}`: what must never be, or must always hold; one of the two',
  },
);

export const AnalysisRequest = Type.Object(
  {
    decisionId: Type.Optional(Id),
    version: Type.Optional(Version),
    against: Type.Optional(
      Type.Object(
        { version: Version },
        { additionalProperties: false, description: 'Where does that older version give other results?' },
      ),
    ),
    content: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: 'A model, JDM: a draft, in place of `decisionId` and `version`',
      }),
    ),
    key: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Where a draft would be; relative names of sub-decisions start there',
      }),
    ),
    properties: Type.Optional(Type.Array(Property, { maxItems: 20 })),
    search: Type.Optional(
      Type.Boolean({
        description:
          'False looks for no facts beside the findings of tables, which come within a part of a second then, as an editor ' +
          'needs them; what only a run of such a fact shows is unknown. True unless it is told',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'AnalysisRequest',
    examples: [
      {
        decisionId: exampleIds.decision,
        version: 3,
        against: { version: 2 },
        properties: [{ name: 'no minors', never: "fact.age < 18 and result.decision != 'refused'" }],
      },
    ],
  },
);
export type AnalysisRequest = Static<typeof AnalysisRequest>;

const Witness = Type.Object(
  {
    fact: Type.Unknown({ description: 'A fact of the decision; null where none was found' }),
    input: Type.Unknown({ description: "The node's input" }),
    result: Type.Unknown({ description: '{"error": message} where it ended in one' }),
  },
  { title: 'Witness', description: 'The engine has run it, and shown what is claimed' },
);

const RuleId = Type.String({ description: "The row's `_id`, else its number from 0; the statement's id" });

const Finding = Type.Object(
  {
    kind: oneOf(['gap', 'shadowed', 'conflict', 'overlap', 'redundant', 'fails']),
    rules: Type.Array(RuleId),
    status: oneOf(['proved', 'unknown']),
    witness: nullable(Witness),
    message: Type.String({ description: 'For people, with the reason where it is unknown' }),
  },
  { title: 'Finding' },
);

const Element = Type.Object({ nodeId: Type.String(), ruleId: RuleId }, { title: 'Element' });
const ReachStatus = oneOf(['reachable', 'unreachable', 'unknown']);
const Count = Type.Integer({ minimum: 0 });

export const Analysis = Type.Object(
  {
    decisionId: nullable(Id),
    version: nullable(Version),
    tables: Type.Array(
      Type.Object(
        {
          nodeId: Type.String(),
          node: Type.String({ description: "The node's name; one that is no table stands here only where it fails" }),
          hitPolicy: nullable(
            oneOf(['first', 'collect', 'UNIQUE', 'ANY', 'PRIORITY', 'FIRST', 'RULE ORDER', 'OUTPUT ORDER', 'COLLECT']),
          ),
          findings: Type.Array(Finding),
        },
        { title: 'TableAnalysis' },
      ),
    ),
    properties: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          status: oneOf(['proved', 'refuted', 'unknown']),
          witness: nullable(Witness),
          reason: nullable(Type.String({ description: 'Why it is unknown, for people; null where it is not' })),
        },
        { title: 'PropertyAnalysis' },
      ),
    ),
    change: nullable(
      Type.Object(
        {
          status: oneOf(['equal', 'different', 'unknown']),
          regions: Type.Array(
            Type.Object(
              {
                when: nullable(
                  Type.String({
                    description:
                      'In words of the fields; null of a single fact, where `reason` says why no more is known',
                  }),
                ),
                witness: Witness,
                before: Type.Unknown({ description: "The older version's result" }),
                after: Type.Unknown(),
              },
              { title: 'ChangedRegion' },
            ),
          ),
          rows: Type.Array(
            Type.Object(
              {
                nodeId: Type.String(),
                before: Type.Array(RuleId, { description: 'Rows that matched before; none where no row did' }),
                after: Type.Array(RuleId),
                regions: Type.Array(Count, { description: 'Places in `regions`, from 0' }),
              },
              { title: 'ChangedRows' },
            ),
            { description: 'The regions by the rows that matched there before and match there now' },
          ),
          undecided: Type.Array(Type.String(), {
            description: 'Where tables take inputs otherwise, and no fact was found that shows it in the result',
          }),
          reason: nullable(
            Type.String({ description: 'Why not all of the change could be compared; null where all of it was' }),
          ),
        },
        { title: 'ModelChange' },
      ),
    ),
    reach: Type.Object({
      reachable: Count,
      unreachable: Count,
      unknown: Count,
      elements: Type.Array(
        Type.Object({ nodeId: Type.String(), ruleId: RuleId, status: ReachStatus }, { title: 'ReachedElement' }),
        { description: 'Rows of tables and statements of switches' },
      ),
    }),
  },
  { title: 'Analysis' },
);

export const SuggestionsRequest = Type.Object(
  { version: Version },
  { additionalProperties: false, title: 'SuggestionsRequest', examples: [{ version: 0 }] },
);

export const Suggestions = Type.Object(
  {
    tests: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          input: Type.Unknown(),
          output: Type.Unknown({ description: 'What the version gives now' }),
          reaches: Type.Array(Element, { description: 'What no test before it reaches' }),
        },
        { title: 'SuggestedTest' },
      ),
    ),
    unreachable: Type.Array(Element),
    unknown: Type.Array(Element),
  },
  { title: 'Suggestions' },
);
