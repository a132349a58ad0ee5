import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/contracts/model.ts';
import type { UserMessage } from '../../../../src/contracts/message.ts';
import { systemClock } from '../../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../../src/models/replay/createReplayModel.ts';
import { openFaultWorld, type FaultyPlugin, type FaultWorld } from './openFaultWorld.ts';

const reads = { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] };
const megabytes = 10_000_000;

function faulty(body: string, more: Partial<FaultyPlugin> = {}): FaultyPlugin {
  return { name: 'faulty', priority: 1, body, ...more };
}

describe('what plugins make of payloads', () => {
  it('can not reach a prototype from any point, at any depth', async () => {
    const poison = `JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')`;
    const with_ = (field: string): string =>
      `({ ok: true, modify: Object.assign(${poison}, { ${field} }), notices: [{ kind: 'info', message: 'x', details: ${poison} }] })`;
    await using world = await openFaultWorld([
      faulty(`
        beforeLLMRequest = () => ${with_("text: 'changed'")};
        beforeToolCall = ({ args }) => ${with_(`args: { ...args, deep: [${poison}] }`)};
        afterToolResult = () => ${with_(`result: { content: [{ type: 'text', text: 'changed' }], details: ${poison} }`)};
        beforeResponse = () => ${with_("content: 'changed'")};`),
      {
        name: 'sees',
        priority: 2,
        body: `
        at = (payload) => { if (payload.polluted || ({}).polluted) mark('polluted'); return { ok: true }; };
        beforeLLMRequest = this.at; afterToolResult = this.at; beforeResponse = this.at;
        beforeToolCall = ({ args }) => {
          const names = [args, args.deep[0]].flatMap((each) => Object.getOwnPropertyNames(each));
          mark(names.join(' '));
          return { ok: true, modify: { args: { path: args.path } } };
        };`,
      },
    ]);
    const { sent, results, shown } = await world.say('Hello', [reads, { text: 'Hi.' }]);
    expect(sent).toContain('changed');
    expect([...results, shown]).toEqual(['changed', 'changed']);
    expect(world.marks).toEqual(['path deep constructor']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(world.logged()).toContain('is no field of');
  });

  it('may have 10 MB at every point: plugins see all of it, logs and notices little', async () => {
    await using world = await openFaultWorld(
      [
        faulty(`
        beforeLLMRequest = ({ text }) => {
          mark('question ' + text.length);
          const message = 'x'.repeat(${megabytes});
          return { ok: true, modify: { text: 'short' }, message, notices: [{ kind: 'warn', message, details: { message } }] };
        };
        beforeToolCall = ({ callId, args }) =>
          callId === 'c1' ? { ok: true, modify: { args: { ...args, path: 'p'.repeat(${megabytes}) } } } : { ok: true };
        afterToolResult = () => ({ ok: true, modify: { result: 'r'.repeat(${megabytes}) } });
        beforeResponse = ({ content }) => {
          mark('answer ' + content.length);
          return { ok: true, modify: { content: content + 'y'.repeat(${megabytes}) } };
        };`),
      ],
      { speed: 0.01 },
    );
    const text = 'q'.repeat(megabytes);
    const { sent, results, shown, outcome } = await world.say(text, [
      { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' }, id: 'c1' }] },
      reads,
      { text: 'a'.repeat(megabytes) },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(world.marks).toEqual([`question ${megabytes}`, `answer ${megabytes}`]);
    expect(sent).toContain('"short"');
    expect(results).toHaveLength(2);
    for (const result of results) expect(result.length).toBeLessThan(megabytes / 10);
    expect(results[1]).toMatch(/^rrr/u);
    expect(shown.length).toBe(2 * megabytes);
    expect(world.logged().length).toBeLessThan(50_000);
    expect(JSON.stringify(await world.trace()).length).toBeLessThan(100_000);
  });

  it('that are blocked with 10 MB of words are blocked with few', async () => {
    await using world = await openFaultWorld([
      faulty(`beforeLLMRequest = () => ({ ok: false, cancel: true, message: 'x'.repeat(${megabytes}) });`),
    ]);
    const { outcome, asked } = await world.say('Hello');
    expect(asked).toEqual([]);
    expect(outcome).toMatchObject({
      status: 'blocked',
      text: expect.stringMatching(/^x{1,4000}…?$/u) as unknown,
    });
  });

  it.each([
    ['beforeLLMRequest', 'text: 5', 'the message was not sent'],
    ['beforeLLMRequest', "imageData: 'x'", 'the message was not sent'],
    ['beforeLLMRequest', 'fileData: { data: 1 }', 'the message was not sent'],
    ['beforeToolCall', "args: 'none'", 'notes.md'],
    ['afterToolResult', "success: 'yes'", 'the result is withheld'],
    ['beforeResponse', 'content: null', 'the answer is withheld'],
    ['beforeResponse', 'reasoning: []', 'the answer is withheld'],
  ])('stop at %s where they are made what can not be: %s', async (point, modify, says) => {
    await using world = await openFaultWorld([
      faulty(`${point} = () => ({ ok: true, modify: { ${modify} } });`),
    ]);
    const { outcome, results, shown } = await world.say('Hello', [reads, { text: 'The answer.' }]);
    const told = [shown, ...results, outcome.status === 'blocked' ? outcome.text : ''].join('\n');
    if (point === 'beforeToolCall') expect(results[0]).not.toContain('High water');
    else expect(told).toContain(`The plugin faulty failed, so ${says}`);
  });

  it('count in every field of the request: the model gets another image and another file', async () => {
    await using world = await openFaultWorld([
      faulty(`beforeLLMRequest = ({ fileData }) => ({ ok: true, modify: {
        text: 'changed',
        imageData: { image: 'bmV3', mimeType: 'image/jpeg' },
        fileData: { ...fileData, data: Buffer.from('a new file').toString('base64') },
      } });`),
    ]);
    const { messages } = await ask(world);
    const { content } = messages.at(-1) as UserMessage;
    const all = JSON.stringify(content);
    expect(all).toContain('changed');
    expect(content).toContainEqual({ type: 'image', data: 'bmV3', mimeType: 'image/jpeg' });
    expect(all).toContain('a new file');
    expect(all).not.toMatch(/Hello|b2xk|an old file/u);
  });

  it('are notices of on every path, each by its code in the trace', async () => {
    const notices = (code: string): string => `notices: [{ kind: 'warn', code: '${code}', message: 'm' }]`;
    const paths: Readonly<Record<string, string>> = {
      passed: `{ ok: true, ${notices('passed')} }`,
      changed: `{ ok: true, modify: { text: text + '!' }, ${notices('changed')} }`,
      declined: `{ ok: false, ${notices('declined')} }`,
      blocked: `{ ok: true, cancel: true, ${notices('blocked')} }`,
    };
    const body = `beforeLLMRequest = ({ text }) => ({ ${Object.entries(paths)
      .map(([path, result]) => `${path}: ${result}`)
      .join(', ')} })[text];`;
    await using world = await openFaultWorld([
      { name: 'free', priority: 1, blocking: false, body },
      { name: 'guard', priority: 2, body },
    ]);
    for (const path of Object.keys(paths)) {
      await world.say(path);
      const told = (await world.trace()).lines.flatMap((line) => (line.kind === 'point' ? [line] : []));
      const free = told.find(({ pluginId }) => pluginId === 'free');
      expect(free?.notices).toMatchObject([{ kind: 'warn', code: path }]);
      const guard = told.find(({ pluginId }) => pluginId === 'guard');
      if (path !== 'changed') expect(guard?.notices).toMatchObject([{ kind: 'warn', code: path }]);
    }
  });
});

/** A turn with an image and a file; gives what the model was asked. */
async function ask({ runtime, session }: FaultWorld): Promise<ModelRequest> {
  const asked: ModelRequest[] = [];
  const script = JSON.stringify({ text: 'Hi.' });
  const replay = createReplayModel({ script, name: 'm.jsonl', clock: systemClock });
  const run = await runtime.turns.start({
    ...{ session, prompt: 'Hello', emit: () => undefined, signal: new AbortController().signal },
    model: {
      ...replay,
      info: { ...replay.info, imageInput: true },
      stream(request) {
        asked.push({ ...request, messages: [...request.messages] });
        return replay.stream(request);
      },
    },
    attachments: [
      { type: 'image', data: 'b2xk', mimeType: 'image/png' },
      { type: 'text', text: 'an old file' },
    ],
  });
  await run.settled;
  const [request] = asked;
  if (request === undefined) throw new Error('the model was not asked');
  return request;
}
