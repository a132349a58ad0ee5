import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readAgentText } from '../../../test/builders/agentFiles.ts';
import { idleKeys, sectionKeys } from './knownKeys.ts';

const word = fc.constantFrom(
  ...sectionKeys,
  ...Object.keys(idleKeys),
  'custom',
  'registry',
  'contentPolicy',
  'name',
  'module',
  'priority',
  'enabled',
  'type',
  'contributors',
  'database',
  'postgres',
  'sqlite',
  'static',
  '$KEY',
  '$MISSING',
  '${{dexto.agent_dir}}/../x',
  '{{dexto.nothing}}',
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(word, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  ),
}));

function check(text: string): void {
  const { file, diagnostics } = readAgentText(text);
  // Broken exactly where there is an error, and each with its place.
  expect(file === undefined).toBe(diagnostics.some(({ level }) => level === 'error'));
  for (const { source, line, column, message } of diagnostics) {
    expect([source, Number(line) > 0, Number(column) > 0, message !== '']).toEqual([
      '/ship/app/.pincer/agent.yml',
      true,
      true,
      true,
    ]);
  }
}

it('reads any text without a throw, and says where each fault is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), check));
});

it('reads any values under the keys that it knows without a throw', () => {
  fc.assert(
    fc.property(fc.dictionary(word, value, { maxKeys: 5 }), (root) => {
      check(stringify(root));
    }),
  );
});
