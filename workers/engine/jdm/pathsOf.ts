import type { Content } from './model.js';

/** The paths that a table or a list of expressions writes. */
export function pathsOf(type: string, content: Content): string[][] {
  const [list, name] =
    type === 'expressionNode'
      ? [content['expressions'], 'key']
      : type === 'decisionTableNode'
        ? [content['outputs'], 'field']
        : [];
  if (!Array.isArray(list) || name === undefined) return [];
  return (list as unknown[]).flatMap((item) => {
    const path = typeof item === 'object' && item !== null ? (item as Content)[name] : undefined;
    return isFilled(path)
      ? [
          path
            .trim()
            .replace(/\s*\[\]$/, '')
            .split('.'),
        ]
      : [];
  });
}

const isFilled = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
