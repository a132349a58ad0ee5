import { expect, it } from 'vitest';
import { repairTranscript } from './repairTranscript.ts';
import { parseTranscript } from './transcript/parseTranscript.ts';

const id = '0a1b2c3d-0000-4000-8000-000000000000';
const facts = { id, channel: 'vscode', folders: ['/w'], createdAt: 1_000 };
const header = {
  ...{ type: 'session', version: 2, id, key: `agent:helper:vscode:${id}`, kind: 'chat', agentId: 'helper' },
  ...{ folders: ['/w'], createdAt: 1_795_000_000_000 },
};
const said = (text: string) =>
  JSON.stringify({
    ...{ type: 'message', id: text, parentId: null },
    message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1 },
  });
const rest = `${said('one')}\n${said('two')}\n`;

const mended = (text: string) => {
  const repair = repairTranscript(text, facts);
  if (repair.kind !== 'mended') throw new Error(repair.kind);
  return parseTranscript(repair.text);
};

it('keeps agent and time where the damaged line still tells them, and every other line', () => {
  const { header: found, entries, damaged } = mended(`${JSON.stringify(header).slice(0, -9)}\n${rest}`);
  expect(found).toMatchObject({ id, agentId: 'helper', key: `agent:helper:vscode:${id}`, folders: ['/w'] });
  expect(entries.map((entry) => entry.id)).toEqual(['one', 'two']);
  expect(damaged).toBe(0);
});

it.each([
  ['of noise', `\u0000\u0000\u0000\n${rest}`],
  ['that is empty', `\n${rest}`],
  ['that is gone', rest],
])('makes a new one in place of a first line %s', (_, text) => {
  const { header: found, entries } = mended(text);
  expect(found).toMatchObject({ agentId: 'main', kind: 'chat', createdAt: 1_000 });
  expect(entries.map((entry) => entry.id)).toEqual(['one', 'two']);
});

it('leaves a transcript that is in order', () => {
  expect(repairTranscript(`${JSON.stringify(header)}\n${rest}`, facts)).toEqual({ kind: 'in order' });
});

it("does not make a tenant's session everybody's", () => {
  const damaged = JSON.stringify({ ...header, tenant: { tenantId: 'a' } }).slice(0, -4);
  expect(repairTranscript(`${damaged}\n${rest}`, facts)).toEqual({ kind: 'tenant lost' });
});
