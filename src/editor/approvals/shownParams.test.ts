import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import { shownParams, shownParamsBlock } from './shownParams.ts';

const request = (params: Record<string, unknown>, edits: ApprovalRequest['edits'] = []): ApprovalRequest =>
  ({ params, edits }) as unknown as ApprovalRequest;

it('shows every parameter of a call that has no diff', () => {
  expect(shownParams(request({ to: 'x', body: 'y' }))).toBe('{\n  "to": "x",\n  "body": "y"\n}');
});

it('shows hidden characters as codes', () => {
  expect(shownParams(request({ to: 'a\u202Eb' }))).toContain('"a⟨U+202E⟩b"');
});

it('shows nothing where a diff does, or where there is nothing to show', () => {
  expect(
    shownParams(request({ a: 1 }, [{ path: '/a', label: 'a', before: null, after: '' }])),
  ).toBeUndefined();
  expect(shownParams(request({}))).toBeUndefined();
});

it('fences what it shows so that nothing inside can end the block', () => {
  const block = shownParamsBlock(request({ text: '````\n[x](command:y)' }));
  expect(block).toMatch(/^\n\n`{5}json\n/u);
  expect(block.endsWith('\n`````')).toBe(true);
});

it('says how much there is when it cuts', () => {
  expect(shownParams(request({ text: 'x'.repeat(9_000) }))).toContain('characters in all');
});
