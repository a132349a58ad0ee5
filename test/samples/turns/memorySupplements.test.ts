import { describe, expect, it } from 'vitest';
import { calls, createActingModel } from '../conversations/actingModel.ts';
import { openTestRuntime, type TestRuntimeOptions } from '../../builders/openTestRuntime.ts';

/** A plugin of any kind, as an author ships it. */
function plugin(register: string, id = 'wiki', kind = ''): string {
  return `module.exports = { id: '${id}', ${kind} register(api) { ${register} } };`;
}

async function open(register: string, options: TestRuntimeOptions = {}) {
  const test = await openTestRuntime({
    isRecorded: false,
    files: { 'MEMORY.md': 'We indent with tabs.\n' },
    ...options,
    global: { wiki: plugin(register), ...options.global },
  });
  const problems = (): string => JSON.stringify(test.runtime.workspace.diagnostics());
  const ask = async (): Promise<string> => {
    const model = createActingModel([{ text: 'Yes.' }]);
    await test.say('go', [], { model });
    return model.asked[0]?.systemPrompt ?? '';
  };
  /** What the model reads of one call of a tool. */
  const call = async (name: string, args: object): Promise<string> => {
    const model = createActingModel([calls(name, { ...args }), { text: 'Yes.' }]);
    await test.say('go', [], { model });
    return JSON.stringify(model.asked[1]?.messages.at(-1));
  };
  return { test, problems, ask, call };
}

const corpus = (search: string, get = 'async () => null'): string =>
  `api.registerMemoryCorpusSupplement({ search: async (params) => { ${search} }, get: ${get} });`;

const page =
  "{ corpus: 'wiki', path: 'pages/tabs.md', title: 'Tabs', score: 0.9, snippet: 'Tabs, says the wiki.' }";

describe('lines that plugins add beside the memory', () => {
  it('stand in the system prompt, prepared ones too, each with its plugin', async () => {
    const { test, ask } = await open(`
      api.registerMemoryPromptSupplement(({ availableTools }) => ['## Wiki', 'Has ' + availableTools.has('memory_search')]);
      api.registerMemoryPromptPreparation(async ({ agentId }) => ['Prepared for ' + agentId]);`);
    await using _ = test;
    expect(await ask()).toMatch(/## Wiki\nHas true\n\nPrepared for main/u);
    const { parts } = await test.runtime.conversations.prompt(test.session);
    const owners = parts.filter(({ title }) => title === 'Memory').map(({ id, owner }) => ({ id, owner }));
    const owner = { kind: 'plugin', pluginId: 'wiki' };
    expect(owners).toEqual([
      { id: 'plugin:wiki', owner },
      { id: 'plugin:wiki:2', owner },
    ]);
  });

  it('are left out where the plugin is barred from prompts', async () => {
    const { test, ask } = await open("api.registerMemoryPromptSupplement(() => ['## Wiki']);", {
      config: { plugins: { entries: { wiki: { hooks: { allowPromptInjection: false } } } } },
    });
    await using _ = test;
    expect(await ask()).not.toContain('## Wiki');
  });

  it('that fail or never come are a warning with the name of the plugin, and the turn goes on', async () => {
    const { test, ask, problems } = await open(`
      api.registerMemoryPromptSupplement(() => { throw new Error('no luck'); });
      api.registerMemoryPromptSupplement(() => ['Of use.']);
      api.registerMemoryPromptPreparation(() => new Promise(() => {}));`);
    await using _ = test;
    expect(await ask()).toContain('Of use.');
    expect(problems()).toContain(
      'The memory prompt supplement \\"lines\\" of plugin \\"wiki\\" failed: no luck.',
    );
    expect(problems()).toContain(
      '\\"prepared lines\\" of plugin \\"wiki\\" failed: it did not answer within 3 s.',
    );
  });

  it('are told to started agents no more than those of the memory', async () => {
    const { test } = await open("api.registerMemoryPromptSupplement(() => ['## Wiki']);");
    await using _ = test;
    const model = createActingModel([
      calls('sessions_spawn', { task: 'Look around' }),
      { text: 'Seen.' },
      { text: 'Yes.' },
    ]);
    await test.say('go', [], { model });
    const prompts = model.asked.map(({ systemPrompt }) => systemPrompt.includes('## Wiki'));
    expect(prompts).toContain(true);
    expect(prompts).toContain(false);
  });
});

describe('a corpus that a plugin adds', () => {
  it('is found by memory_search behind what the memory has, and alone as wiki', async () => {
    const { test, call } = await open(corpus(`mark(params.query + ' ' + params.agentId); return [${page}];`));
    await using _ = test;
    const both = await call('memory_search', { query: 'tabs' });
    expect(both).toMatch(/We indent with tabs.*Tabs, says the wiki/u);
    expect(both).toContain('pages/tabs.md');
    const alone = await call('memory_search', { query: 'tabs', corpus: 'wiki' });
    expect(alone).toContain('Tabs, says the wiki.');
    expect(alone).not.toContain('We indent');
    expect(test.marks).toEqual(['tabs main', 'tabs main']);
  });

  it('is not asked where only the notes are wanted', async () => {
    const { test, call } = await open(corpus(`mark('asked'); return [${page}];`));
    await using _ = test;
    expect(await call('memory_search', { query: 'tabs', corpus: 'memory' })).toContain('We indent');
    expect(test.marks).toEqual([]);
  });

  it('is read by memory_get where the memory has no such path', async () => {
    const { test, call } = await open(
      corpus(
        'return [];',
        "async (params) => { mark(JSON.stringify(params.lookup + params.fromLine)); return params.lookup === 'wiki:tabs' ? { content: 'A page of tabs.' } : null; }",
      ),
    );
    await using _ = test;
    expect(await call('memory_get', { path: 'wiki:tabs' })).toContain('A page of tabs.');
    expect(await call('memory_get', { path: 'MEMORY.md' })).toContain('We indent');
    expect(await call('memory_get', { path: 'memory/2026-01-01.md' })).toContain(
      'There is no such note yet.',
    );
    expect(test.marks).toEqual(['"wiki:tabs1"', '"memory/2026-01-01.md1"']);
  });

  it('that fails is named in the answer, which has what the memory found', async () => {
    const { test, call } = await open(corpus("throw new Error('no wiki here');"));
    await using _ = test;
    const answer = await call('memory_search', { query: 'tabs' });
    expect(answer).toContain('We indent with tabs.');
    expect(answer).toContain('failed: no wiki here.');
  });

  it('gives at most as many results as were wanted, each cut, and nothing that is no result', async () => {
    const hit = "{ corpus: 'wiki', path: 'p' + at, score: at, snippet: 'x'.repeat(5000), secret: 'hidden' }";
    const { test, call } = await open(corpus(`return Array.from({ length: 500 }, (_, at) => (${hit}));`));
    await using _ = test;
    const answer = await call('memory_search', { query: 'tabs', corpus: 'wiki', maxResults: 2 });
    const lengths = answer.match(/x{100,}/gu)?.map(({ length }) => length);
    expect(new Set(lengths)).toEqual(new Set([700]));
    expect(answer).toContain('p19');
    expect(answer).toContain('p18');
    expect(answer).not.toContain('p17');
    expect(answer).not.toContain('hidden');
  });

  it('without search or get is refused by name', async () => {
    const { test, problems } = await open('api.registerMemoryCorpusSupplement({ search() {} });');
    await using _ = test;
    expect(problems()).toContain('memory corpus supplement registration missing search or get');
  });
});

describe('parts of the capability as older plugins register them', () => {
  const memory = "kind: 'memory',";

  it('count as the prompt builder and the runtime of the plugin in the memory slot', async () => {
    const register = `
      api.registerMemoryPromptSection(() => ['## Of old']);
      api.registerTool((ctx) => [api.runtime.tools.createMemorySearchTool(ctx)], { names: ['memory_search'] });
      api.registerMemoryRuntime({ getMemorySearchManager: async () => ({ manager: {
        search: async () => [{ path: 'box', startLine: 1, endLine: 1, score: 1, snippet: 'Of the box.', source: 'memory' }] } }) });`;
    const { test, ask, call } = await open('', { global: { notes: plugin(register, 'notes', memory) } });
    await using _ = test;
    expect(await ask()).toContain('## Of old');
    expect(await call('memory_search', { query: 'tabs' })).toContain('Of the box.');
  });

  it('throw for a plugin of another kind, in the words of the part', async () => {
    const { test, problems } = await open('api.registerMemoryFlushPlan(() => null);');
    await using _ = test;
    expect(problems()).toContain('only memory plugins can register a memory flush plan');
  });
});
