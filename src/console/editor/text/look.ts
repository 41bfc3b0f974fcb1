import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// The colours are the pages' own, which differ in light and dark.

export const colours = HighlightStyle.define([
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.logicOperator, tags.self], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

export const frame = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '13px' },
  // The host has the outline.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--box)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    zIndex: '20',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-box)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-box)', color: 'inherit' },
  '.fault-error': { borderBottom: '2px solid var(--bad)' },
  '.fault-warning': { borderBottom: '2px dotted var(--warn)' },
});

/** A cell is 28 px high, and its text does not wrap. */
export const lineFrame = EditorView.theme({
  '.cm-scroller': { lineHeight: '24px', overflow: 'hidden' },
  '.cm-content': { padding: '1px 0' },
  '.cm-line': { padding: '0 6px' },
});
