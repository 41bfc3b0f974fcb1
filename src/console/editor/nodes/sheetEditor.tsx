import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { resultShape } from '../../dmn/shape.js';
import { rowsOf, textOf, type Fields } from '../../graph/fields.js';
import { backToGrid } from '../grid/backToGrid.js';
import { Grid } from '../grid/grid.js';
import type { GridProps } from '../grid/gridProps.js';
import { isWithin, rangeOf, selectionAt, type CellPosition, type Range, type Selection } from '../grid/range.js';
import { filled, filledDown, withRowsPlaced } from '../rowEdits.js';
import { cellText, sheetOf, withCells, type CellText, type Sheet } from '../sheet.js';
import { CellLine } from './cellLine.js';
import { clipboardActions } from './clipboardActions.js';
import type { ColumnTask } from './columnDialog.js';
import type { NodeEditorProps } from './nodeEditorProps.js';
import { useOtherEdits } from './useOtherEdits.js';
import { isAsked } from '../pastedHeader.js';
import { pastedAsTyped } from '../pastedTexts.js';
import { withWritingKept } from '../keptWriting.js';
import { sheetActions, type Notice } from './sheetActions.js';
import { SheetDialogs, type Asked } from './sheetDialogs.js';
import { HitPolicy, SheetTools } from './sheetTools.js';
import { followed, useFilter, type Filter } from './filter.js';
import { useKinds } from './useKinds.js';
import { spacedOf } from '../spacedFields.js';
import { isTypedWord, takenAs, typedText, typedTexts, type Named } from '../typedText.js';
import type { Word } from '../text/word.js';

/** The selection within what is there: rows may have gone. */
const within = ({ end, active, isLed = false }: Selection, { rows, columns }: Sheet): Selection => {
  const clamp = ({ row, column }: Selection['active']) => ({
    row: Math.min(row, rows.length),
    column: Math.min(column, columns.length - 1),
  });
  return { end: clamp(end), active: clamp(active), isLed };
};

interface SheetEditorProps extends NodeEditorProps {
  readonly sheet: Sheet;
}

/**
 * A table, expressions or conditions, as a sheet with its tools above it. What is selected counts the rows that are shown; what is
 * changed is the whole sheet.
 */
export function SheetEditor(props: SheetEditorProps) {
  const { node, isReadOnly = false, sheet, sought, onAbandon } = props;
  const { content } = sheet;
  const filtered = useFilter(sheet);
  const shown = filtered.sheet;
  const others = useOtherEdits(content);
  const [chosen, setChosen] = useState<Selection>({ ...selectionAt(0, 0), isLed: true });
  // Who filters goes on at the row where that was done, as far as it is still shown.
  const filter = followed(filtered, within(chosen, shown).active.row, (row) =>
    setChosen(selectionAt(row, chosen.active.column)),
  );
  const [notice, setNotice] = useState<Notice | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [wanted, setWanted] = useState('');
  const fit = useRef((_column: number): void => undefined);
  const kinds = useKinds(sheet);
  // Before anybody clicks elsewhere.
  useLayoutEffect(() => {
    if (sought === null) return;
    const column = sheet.columns.findIndex(({ id }) => id === sought.column);
    const row = filter.shown(sought.row);
    const area = rangeOf(chosen, { rows: shown.rows.length, columns: shown.columns.length });
    // What is selected already stays so, with what is around it.
    const isIn = isWithin(area, { row, column });
    // What somebody is led to is shown, and written in next.
    if (row < 0 && sought.row >= 0) filter.all();
    backToGrid(() => {
      if (!isIn) setChosen({ ...selectionAt(row < 0 ? sought.row : row, Math.max(0, column)), isLed: column < 0 });
    });
  }, [sought]);
  const selection = within(chosen, shown);
  const range = rangeOf(selection, { rows: shown.rows.length, columns: shown.columns.length });
  const isTable = sheet.list === 'rules' && !isReadOnly;
  const select = (next: Selection): void => {
    setChosen(next);
    setNotice(null);
  };
  const change = (next: Fields, step: string | null = null): void => {
    others.isOwn(next);
    props.onContent(next, step);
    const text = sheet.isOfDocument ? otherResult(content, next) : null;
    if (text !== null) setNotice({ text, of: next });
  };
  const placed = (cells: readonly CellText[]): Fields =>
    withCells(
      sheet,
      cells.map((cell) => ({ ...cell, row: filter.whole(cell.row) })),
    );
  const put = (cells: readonly CellText[], step: string | null = null): void => change(placed(cells), step);
  const putPasted = (next: Fields): void => {
    const { content: meant, told } = pastedAsTyped(sheet, sheetOf({ ...node, content: next }) ?? sheet, named());
    change(meant);
    if (told !== '') setNotice({ text: told, of: meant });
  };
  // Under a filter the first selected row is filled into those that are seen.
  const fillDown = (area: Range): void =>
    filter.hidden > 0 ? put(filled(shown, { ...area, bottom: area.top }, area)) : change(filledDown(sheet, area));
  const ask = (task: ColumnTask): void => setAsked({ kind: 'column', task });
  const close = (): void => backToGrid(() => setAsked(null));
  const actions = sheetActions({
    ...{ sheet, filter, selection, range },
    onSelect: select,
    onContent: change,
    onFillDown: fillDown,
    onColumn: isTable ? ask : undefined,
    onFilter: (column) => setAsked({ kind: 'filter', column }),
    onNumbers: (cells) => setAsked({ kind: 'numbers', cells }),
    onFit: (column) => fit.current(column),
    onNotice: setNotice,
  });
  const isName = (name: string): boolean => names(props.words('', name)).has(name);
  const named = (): Named => ({ isName, spaced: spacedOf(props.words('', '')) });
  const grid: GridProps = {
    ...{ isReadOnly, selection, kinds, fit, onAbandon },
    label: node.name,
    keptUnder: node.id,
    otherEdits: others.round,
    sheet: shown,
    found: wanted.toLowerCase(),
    numberOf: filter.whole,
    filtered: filter.columns,
    ...useShown(filtered, props),
    onSelect: select,
    onCells: put,
    onTyped: (cell, step, all) => {
      const whole = (each: CellPosition): CellPosition => ({ ...each, row: filter.whole(each.row) });
      const at = whole(cell);
      const meant = typedText(sheet, at, isName, named().spaced);
      if (meant === null && all === undefined) return;
      const text = meant ?? cellText(sheet.rows[at.row], sheet.columns[at.column]);
      const cells = (all ?? [cell]).map((each) => ({ ...whole(each), text }));
      const taken = withCells(sheet, cells);
      const next = isTable ? withWritingKept(sheet, taken, at.column, true) : taken;
      change(next, isTypedWord(text) && all === undefined ? null : step);
      if (meant !== null) setNotice({ text: takenAs(meant), of: next });
    },
    onFill: (source, target) => put(filled(shown, source, target)),
    onFillDown: fillDown,
    onRows:
      filter.hidden > 0
        ? undefined
        : (first, last, before) => {
            change(withRowsPlaced(sheet, { first, last, before }));
            const top = before > last ? before - (last - first + 1) : before;
            select({
              end: { row: top + last - first, column: shown.columns.length - 1 },
              active: { row: top, column: 0 },
            });
          },
    onHead: (column) => {
      const { side } = sheet.columns[column] ?? { side: 'note' };
      if (isTable && side !== 'note') ask({ kind: 'change', column });
    },
    onMenu: (at, of) => setAsked({ kind: 'menu', at, of }),
    onPasted: (cells) => putPasted(placed(cells)),
    onPaste: (paste) => {
      if (!isAsked(paste, sheet)) return false;
      setAsked({ kind: 'paste', paste: { ...paste, top: filter.whole(paste.top) } });
      return true;
    },
    complete(column, before) {
      const words = props.words(sheet.columns[column]?.field ?? '', before);
      // Among texts a word is one, and no function.
      return kinds[column] === 'text' ? words.filter(({ kind }) => kind !== 'function') : words;
    },
  };
  const pasting = useRef({ ...grid, range });
  pasting.current = { ...grid, range };
  const onClipboard = clipboardActions({
    current: pasting.current,
    now: () => pasting.current,
    onRefused: (text) => setNotice({ text, of: pasting.current.sheet.content }),
  });
  return (
    <div class="sheet">
      {isReadOnly && sheet.list !== 'expressions' && (
        <div class="tools">
          <HitPolicy content={content} />
        </div>
      )}
      {!isReadOnly && (
        <SheetTools
          {...{ sheet, actions }}
          find={{
            sheet: shown,
            selection,
            onSelect: select,
            text: wanted,
            onText: setWanted,
            onCells: (cells) => put(typedTexts(shown, cells, named())),
            numberOf: filter.whole,
            range,
          }}
          onContent={(next, step = null) => change(next, step === null ? null : `${step} of ${node.id}`)}
        />
      )}
      <CellLine
        {...grid}
        {...{ filter, isReadOnly }}
        notice={notice?.of === content ? notice.text : ''}
        sheet={sheet}
        row={filter.whole(selection.active.row)}
        marks={props.marks}
        onCells={change}
      />
      <Grid {...grid} />
      {asked !== null && (
        <SheetDialogs
          {...{ asked, sheet, filter }}
          actions={[...onClipboard, ...actions]}
          onContent={change}
          onPasted={putPasted}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What a table of DMN gives from now on, where that is something else; null where it is not. */
function otherResult(before: Fields, after: Fields): string | null {
  const [was, is] = [before, after].map((each) =>
    resultShape(textOf(each['hitPolicy']), rowsOf(each, 'outputs').length),
  );
  return was === is
    ? null
    : `It gives ${is ? `a ${is}`.replace('a o', 'an o') : 'one value'} now: what reads it has to take that.`;
}

/** What words name, and what the paths among them begin with. */
const names = (words: readonly Word[]): ReadonlySet<string> =>
  new Set(words.flatMap(({ label }) => [label, label.split('.')[0] ?? label]));

/** What is known of rows, by the numbers of those that are shown. */
function useShown(filter: Filter, { matched, marks }: NodeEditorProps): Pick<GridProps, 'matched' | 'marks'> {
  return useMemo(() => {
    if (filter.hidden === 0) return { matched, marks };
    return {
      matched: new Set([...matched].map(filter.shown).filter((row) => row >= 0)),
      marks: new Map([...marks].map(([row, found]) => [filter.shown(row), found] as const).filter(([row]) => row >= 0)),
    };
  }, [filter, matched, marks]);
}
