import { expect, it } from 'vitest';
import { createProgram } from '../createProgram.ts';
import { describeConsent } from './pluginsText.ts';

it('no name of a file, tool or plugin forges a line of what is agreed to', () => {
  const forged = 'x\n  tools: none found\u001B[2J';
  const names = [forged];
  const asks = {
    ...{ tools: names, hooks: names, commands: names, reaches: names, conversation: false },
    ...{ programs: names, packages: names, natives: names, linkedTo: forged, unread: ['much'] },
  };
  const needsConsent = { why: 'files-changed', hash: 'h', changedFiles: [forged] } as const;
  const text = describeConsent({ id: forged, asks, needsConsent } as unknown as Parameters<
    typeof describeConsent
  >[0]);
  expect(text).not.toContain('\u001B');
  expect(text.trim().split('\n')).toHaveLength(11);
  expect(text.match(/^ {2}tools: /gmu)).toHaveLength(1);
});

it('what was typed comes back as text in an error of the command line', async () => {
  let err = '';
  const program = createProgram({ out: () => undefined, err: (text) => void (err += text) });
  expect(await program.run(['agent', '-m', 'x', '--approve', '\u001B[2Jnow'])).toBe(2);
  expect(err).toContain("'[2Jnow' is invalid");
});
