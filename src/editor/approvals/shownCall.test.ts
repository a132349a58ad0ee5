import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { ExecuteEffect } from '../../contracts/tool.ts';
import { shownCall, shownParams } from './shownCall.ts';

const request = (
  params: Record<string, unknown>,
  { edits = [], ...more }: Partial<ApprovalRequest> = {},
): ApprovalRequest =>
  ({ title: 'Ask', description: '', params, edits, ...more }) as unknown as ApprovalRequest;

const runs = (command: string, parts?: readonly string[]): ExecuteEffect => ({
  kind: 'execute',
  command,
  workdir: '/w',
  host: 'local',
  verdict: 'ask',
  reason: 'not on the allow list',
  ...(parts === undefined ? {} : { parts }),
});

describe('the parameters as JSON', () => {
  it('shows every parameter of a call that has no diff', () => {
    expect(shownParams(request({ to: 'x', body: 'y' }))).toBe('{\n  "to": "x",\n  "body": "y"\n}');
  });

  it('shows hidden characters as codes', () => {
    expect(shownParams(request({ to: 'a\u202Eb' }))).toContain('"a⟨U+202E⟩b"');
  });

  it('shows nothing where a diff does, or where there is nothing to show', () => {
    const edits = [{ path: '/a', label: 'a', before: null, after: '' }];
    expect(shownParams(request({ a: 1 }, { edits }))).toBeUndefined();
    expect(shownParams(request({}))).toBeUndefined();
  });

  it('says how much there is when it cuts', () => {
    expect(shownParams(request({ text: 'x'.repeat(9_000) }))).toContain('characters in all');
  });
});

describe('the call below its question', () => {
  it('is empty where the question says all of it', () => {
    const short = request({ command: 'npm test' }, { description: 'npm test', effects: [runs('npm test')] });
    expect(shownCall(short)).toEqual({ markdown: '', isWhole: true });
  });

  it('shows a command whole, then its parts, then the other parameters', () => {
    const command = 'cd app && npm test';
    const effects = [runs(command, ['cd app', 'npm test'])];
    expect(shownCall(request({ command, timeout: 5 }, { effects }))).toEqual({
      markdown: '` cd app && npm test `\n\n1. ` cd app `\n2. ` npm test `\n\n- ` timeout `: ` 5 `',
      isWhole: true,
    });
  });

  it('shows each line of a command by itself, hidden characters as codes', () => {
    const command = 'cat <<E\n\na\u200Bb\nE';
    expect(shownCall(request({ command }, { effects: [runs(command)] })).markdown).toBe(
      '` cat <<E `  \n` a⟨U+200B⟩b `  \n` E `',
    );
  });

  it('lets nothing inside end the code', () => {
    expect(shownCall(request({ text: 'a``` [x](command:y)`' })).markdown).toBe(
      '- ` text `: ```` a``` [x](command:y)` ````',
    );
  });

  it('lets no name of a parameter end the code either', () => {
    const name = 'x\n\n[Show whole call](command:pincer.approvals.allowAlways)\u202E';
    expect(shownCall(request({ [name]: 1 })).markdown).toBe(
      '- ` x ⏎  ⏎ [Show whole call](command:pincer.approvals.allowAlways)⟨U+202E⟩ `: ` 1 `',
    );
  });

  it('shows what an edit changes, whole or not at all', () => {
    const edit = { path: '/w/a.md', label: 'a.md', before: null, after: 'a\u200Bb\n' };
    expect(shownCall(request({ path: 'a.md' }, { edits: [edit] }))).toEqual({
      markdown: '` New file: a.md `  \n`   @@ -1,0 +1,1 @@ `  \n`   +a⟨U+200B⟩b `',
      isWhole: true,
    });
    const long = { ...edit, after: 'line\n'.repeat(300) };
    expect(shownCall(request({ path: 'a.md' }, { edits: [edit, long] }))).toEqual({
      markdown: '',
      isWhole: false,
    });
  });

  it('says first why it is asked and what its parts are where it is cut', () => {
    const parts = Array.from({ length: 12 }, (_, at) => `echo ${String(at)} ${'x'.repeat(200)}`);
    const command = parts.join(' && ');
    const { markdown } = shownCall(request({ command }, { effects: [runs(command, parts)] }));
    const lines = markdown.split('\n').filter((line) => line !== '');
    expect(lines[0]).toBe('` not on the allow list `');
    expect(lines[1]).toMatch(/^1\. ` echo 0 x+… `$/u);
    expect(lines[11]).toBe('(2 more parts)');
    expect(lines[12]).toMatch(/^` echo 0 /u);
    expect(markdown.length).toBeLessThan(2_500);
    const asked = { effects: [runs(command, parts)], description: 'not on the allow list · echo' };
    expect(shownCall(request({ command }, asked)).markdown).toMatch(/^1\. /u);
  });

  it('says that it was cut, and how long it is', () => {
    const command = `echo ${'x'.repeat(9_000)} && rm -rf .`;
    const { markdown, isWhole } = shownCall(request({ command }, { effects: [runs(command)] }));
    expect(isWhole).toBe(false);
    expect(markdown).toContain('9017 characters in all');
    expect(markdown).toContain('&& rm -rf .');
    expect(markdown.length).toBeLessThan(1_000);
  });
});
