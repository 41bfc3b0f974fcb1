import { isObject, membersOf, textOf } from '../../graph/fields.js';
import { Boxed } from '../../graph/boxed.js';
import { Json } from '../../parts/values.js';
import { sheetOf } from '../sheet.js';
import { lazy } from '../../parts/failure.js';
import { CodeText } from '../text/codeText.js';
import { SheetEditor } from './sheetEditor.js';
import type { NodeEditorProps } from './nodeEditorProps.js';
import { useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../api/client.js';
import { parseJson } from '../../api/exactJson.js';
import type { TextFault } from '../text/faultMarks.js';

const RequestFields = lazy(async () => (await import('./otherForms.js')).RequestFields);
const CalledEditor = lazy(async () => (await import('./otherForms.js')).CalledEditor);

/** What a node says, to be changed: each kind in a form of its own. */
export function NodeEditor(props: NodeEditorProps) {
  const { node, isReadOnly = false, used, onContent } = props;
  const content = membersOf(node.content);
  const sheet = useMemo(() => sheetOf(node), [node.type, node.content]);
  if (sheet !== undefined) return <SheetEditor key={node.id} {...props} sheet={sheet} />;
  switch (node.type) {
    case 'functionNode':
      return <Source {...props} />;
    case 'decisionNode':
      return (
        <CalledEditor
          content={content}
          usedBy={props.usedBy ?? ''}
          trace={props.trace}
          onContent={(next, step) => onContent(next, step === null ? null : `${step} of ${node.id}`)}
        />
      );
    case 'inputNode':
    case 'outputNode':
      return (
        <fieldset class="padded bare" key={node.id} disabled={isReadOnly}>
          <RequestFields
            schema={content['schema']}
            used={node.type === 'inputNode' ? used : null}
            onChange={(schema) => onContent({ ...content, schema }, `schema of ${node.id}`)}
          />
        </fieldset>
      );
    case 'dmnInput':
    case 'dmnDecision':
    case 'dmnKnowledge':
    case 'dmnService':
      return (
        <div class="padded" key={node.id}>
          <Boxed name={node.name} content={content} />
          {!isReadOnly && <p class="soft small">{inModeler}</p>}
        </div>
      );
    default:
      if (isReadOnly) return <Json value={node.content} label="Content of the node" />;
      return (
        <JsonText
          key={node.id}
          label="Content"
          hint="The content of this node, as JSON."
          text={JSON.stringify(node.content ?? null, null, 2)}
          onValue={(value) => onContent(value, `content of ${node.id}`)}
        />
      );
  }
}

/** Where somebody looks for what the desk cannot change. */
const inModeler =
  'This is changed in a DMN modeler: “Replace”, on the decision’s page, brings the file back. Here tables are changed.';

/** The source of a function: older models have it as a plain text. */
function Source({ node, isReadOnly = false, faults, words, onContent }: NodeEditorProps) {
  const { content } = node;
  const source = isObject(content) ? textOf(content['source']) : textOf(content);
  return (
    <CodeText
      key={node.id}
      class="full"
      label="Source"
      language="javascript"
      isReadOnly={isReadOnly}
      isFocused={!isReadOnly}
      value={source}
      faults={faults}
      complete={(before) => words('', before).filter(({ kind }) => kind === 'field')}
      onChange={(text) => onContent(isObject(content) ? { ...content, source: text } : text, `source of ${node.id}`)}
    />
  );
}

interface JsonTextProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  /** What was typed, where it is JSON. */
  readonly onValue: (value: unknown) => void;
}

/** JSON as a text. What is none is told, and is no value. */
function JsonText({ label, hint, text, onValue }: JsonTextProps) {
  const [fault, setFault] = useState<string | null>(null);
  const typed = useRef(text);
  const take = (next: string): void => {
    typed.current = next;
    try {
      onValue(parseJson(next));
      setFault(null);
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  const faults: TextFault[] = fault === null ? [] : [{ message: fault, severity: 'error', line: null, column: null }];
  return (
    <div class="json-text">
      <p class="soft small">{hint}</p>
      {/* What was typed stays as it was typed. */}
      <CodeText class="full" label={label} language="json" value={typed.current} faults={faults} onChange={take} />
      {fault !== null && (
        <p role="alert" class="failure">
          This is no JSON: {fault}
        </p>
      )}
    </div>
  );
}
