import { formatJson } from '../../workers/json/index.js';
import type { TestReport } from '#openapi/types.gen.js';

/** What the tests of one model gave, by its file or key. */
type Suite = Pick<TestReport, 'passed' | 'failed' | 'tests'> & { readonly place: string };

/** Test reports as the XML that pipelines show (JUnit's, as Jenkins and GitLab read it). */
export function junitText(models: readonly Suite[]): string {
  const suites = models.map(({ place, failed, tests }) => {
    const cases = tests.map(({ name, differences }) => {
      const opened = `    <testcase${attributes({ classname: place, name })}`;
      if (differences.length === 0) return `${opened}/>`;
      const lines = differences.map(
        ({ pointer, expected, actual }) => `${pointer}: expected ${shown(expected)}, got ${shown(actual)}`,
      );
      return `${opened}>\n      <failure${attributes({ message: lines[0] ?? '' })}>${escaped(lines.join('\n'))}</failure>\n    </testcase>`;
    });
    const head = `  <testsuite${attributes({ name: place, tests: tests.length, failures: failed })}>`;
    return [head, ...cases, '  </testsuite>'].join('\n');
  });
  const sum = (of: 'passed' | 'failed'): number => models.reduce((total, model) => total + model[of], 0);
  const counts = attributes({ tests: sum('passed') + sum('failed'), failures: sum('failed') });
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${counts}>`, ...suites, '</testsuites>', ''].join('\n');
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : formatJson(value));

const attributes = (all: Readonly<Record<string, string | number>>): string =>
  Object.entries(all)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

/** XML has no way to write most control characters, nor halves of surrogate pairs. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
