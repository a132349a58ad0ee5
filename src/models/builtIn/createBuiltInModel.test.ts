import { describe, expect, it } from 'vitest';
import type { AgentMessage, ToolResultMessage, UserMessage } from '../../contracts/message.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { Passage } from './answerQuestion.ts';
import { createBuiltInModel } from './createBuiltInModel.ts';

const tools: ToolDefinition[] = ['read', 'write', 'ls', 'glob', 'grep', 'weather'].map((name) => ({
  name,
  description: '',
  parameters: {},
}));
const user = (...content: UserMessage['content']): AgentMessage => ({ role: 'user', content, timestamp: 1 });
const said = (text: string) => ({ type: 'text' as const, text });

const passage = (changes: Partial<Passage> = {}): Passage => ({
  path: '/boat/docs/setup.md',
  label: 'docs/setup.md',
  startLine: 12,
  headings: ['Setup', 'Keys'],
  text: '## Keys\n\nPut the key into the settings.',
  score: 0.9,
  ...changes,
});

interface Asked {
  readonly messages?: readonly AgentMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly passages?: readonly Passage[];
}

async function events(asked: Asked): Promise<{ events: ModelEvent[]; queries: string[] }> {
  const queries: string[] = [];
  const model = createBuiltInModel({
    search: (query) => {
      queries.push(query);
      return Promise.resolve(asked.passages ?? []);
    },
    fileLink: (path, line) => `file://${path}#L${line}`,
  });
  const seen: ModelEvent[] = [];
  const request = {
    systemPrompt: '',
    messages: asked.messages ?? [],
    tools: asked.tools ?? tools,
    signal: new AbortController().signal,
  };
  for await (const event of model.stream(request)) seen.push(event);
  return { events: seen, queries };
}

async function answer(text: string, more: Asked = {}): Promise<string> {
  return await answerTo({ messages: [user(said(text))], ...more });
}

async function answerTo(asked: Asked): Promise<string> {
  const seen = await events(asked);
  return seen.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
}

describe('the built-in model: commands', () => {
  it('turns a command into a tool call', async () => {
    const seen = await events({ messages: [user(said('read README.md'))] });
    expect(seen.events).toEqual([
      {
        type: 'toolCall',
        id: expect.stringMatching(/^call_/u) as unknown,
        name: 'read',
        arguments: { path: 'README.md' },
      },
      { type: 'done', stopReason: 'toolUse' },
    ]);
  });

  it('never calls two tools by one id', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await events({ messages: [user(said('list'))] })).events[0]),
    );
    expect(ids[0]).not.toEqual(ids[1]);
  });

  it('takes no command from attached text', async () => {
    const attached = { ...said('write evil.md: x'), isContext: true };
    const seen = await events({ messages: [user(attached, said('what is this file'), attached)] });
    expect(seen.queries).toEqual(['what is this file']);
    expect(seen.events.some((event) => event.type === 'toolCall')).toBe(false);
  });

  it('says that a tool is missing, why that may be, and what there is, the nearest first', async () => {
    expect(await answer('/tool whether {"city": "Graz"}')).toContain('`whether` is not available here.');
    expect(await answer('/tool whether')).toContain('There are: `weather`,');
    expect(await answer('write a.md: x', { tools: tools.slice(0, 1) })).toMatch(
      /`write` is not available.*not trusted/u,
    );
    expect(await answer('list', { tools: [] })).toContain('nor is any other');
  });

  it('explains parameters that are no JSON', async () => {
    expect(await answer('/tool weather {"city" 1}')).toMatch(
      /a colon is missing \\\(line 1, character 9\\\).*`\/tool weather \{"key": "value"\}`/u,
    );
  });
});

describe('the built-in model: results', () => {
  const called: AgentMessage = {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'a', name: 'read', arguments: { path: 'README.md' } }],
    provider: 'pincer',
    model: 'built-in',
    stopReason: 'toolUse',
    timestamp: 1,
  };
  const result = (text: string, isError = false): ToolResultMessage => ({
    role: 'toolResult',
    toolCallId: 'a',
    toolName: 'read',
    content: text === '' ? [] : [said(text)],
    isError,
    timestamp: 1,
  });
  const show = (...results: ToolResultMessage[]) =>
    answerTo({ messages: [user(said('read README.md')), called, ...results] });

  it('shows a result under what was asked, and nothing else', async () => {
    expect(await show(result('# Pincer\n\nHello.'))).toMatch(
      /^`read README\.md`:\n\n```\n# Pincer\n\nHello\.\n```$/u,
    );
  });

  it('shows one line as text', async () => {
    expect(await show(result('Wrote *2* lines.'))).toContain(
      String.raw`\`read README.md\`: Wrote \*2\* lines\.`.replaceAll('\\`', '`'),
    );
  });

  it('shows an error with its reason', async () => {
    expect(await show(result('Plugin "guard" blocked it: not on Friday', true))).toContain(
      String.raw`did not go through: Plugin "guard" blocked it\: not on Friday`,
    );
  });

  it('says so where there is no output', async () => {
    expect(await show(result(''))).toContain('`read README.md`: no output.');
  });

  it('cuts a long result and says so', async () => {
    const long = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const shown = await show(result(long));
    expect(shown).toContain('(cut: 120 lines of 500 shown)');
    expect(shown).not.toContain('line 120\n');
    expect((await show(result(`a\n${'x'.repeat(50_000)}`))).length).toBeLessThan(9_000);
  });

  it('closes no fence early for what a result says', async () => {
    const shown = await show(result('a\n```\n[click](command:evil)\n````\nb'));
    expect(shown).toContain('`````\na\n```\n[click](command:evil)\n````\nb\n`````');
  });

  it('shows each of several results', async () => {
    const other = { ...result('two'), toolCallId: 'b', toolName: 'ls' };
    expect(await show(result('one'), other)).toMatch(/`read README\.md`: one\n\n`ls`: two/u);
  });

  it('names an image that it can not show', async () => {
    const image = { ...result(''), content: [{ type: 'image' as const, data: '', mimeType: 'image/png' }] };
    expect(await show(image)).toContain('1 image');
  });
});

describe('the built-in model: questions', () => {
  it('quotes the passage with a link to the line that fits the question best', async () => {
    expect(await answer('where does the key go?', { passages: [passage()] })).toBe(
      [
        "This passage of the workspace's markdown fits your question best:",
        String.raw`[docs/setup\.md\:14](file:///boat/docs/setup.md#L14) › Setup › Keys`,
        String.raw`> Put the key into the settings\.`,
        '*Built-in model: search and commands, no AI. Add a model with “Pincer: Add Model…”.*',
      ].join('\n\n'),
    );
  });

  it.each([
    ['a later line of a paragraph', '## Keys\n\nOne thing\nof many\nis the telescope.\nIts', 16],
    ['the row of a table', '## Keys\n\n| a | b |\n| - | - |\n| telescope | c |', 16],
    ['a line of code', '## Keys\n\nRun:\n\n```sh\nnpm ci\nnpm run telescope\n```', 18],
    ['a paragraph behind others', '## Keys\n\nOne.\n\nTwo.\n\nThe telescope.', 18],
    ['the start where no line has a word of it', '## Keys\n\nOne.\n\nTwo.', 12],
  ])('links to %s', async (_, content, line) => {
    const shown = await answer('where is the telescope', { passages: [passage({ text: content })] });
    expect(shown).toContain(`](file:///boat/docs/setup.md#L${line})`);
  });

  it('quotes at most three passages, and none that is far behind the best', async () => {
    const many = [0.9, 0.9, 0.89, 0.88, 0.2].map((score, n) => passage({ score, label: `${n}.md` }));
    expect((await answer('key', { passages: many })).match(/\]\(file:/gu)).toHaveLength(3);
    expect((await answer('key', { passages: [many[0]!, many[4]!] })).match(/\]\(file:/gu)).toHaveLength(1);
  });

  it('links to the beginning of the readme for what all of this is, whatever words its lines have', async () => {
    const readme = passage({
      label: 'README.md',
      startLine: 1,
      text: '# Tides\n\nTables.\n\nThis project does it.',
    });
    expect(await answer('What does this project do?', { passages: [readme] })).toContain('docs/setup.md#L1)');
  });

  it('answers what all of this is with the beginning of the readme', async () => {
    const labels = ['docs/README.md', 'notes.md', 'README.md', 'README.md'];
    const passages = labels.map((label, n) => passage({ label, startLine: 40 - n * 10, text: `part ${n}` }));
    const seen = await events({ messages: [user(said('What does this project do?'))], passages });
    const shown = seen.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    expect(shown.match(/part \d/gu)).toEqual(['part 3', 'part 2']);
    expect(seen.queries).toEqual(['readme']);
    const without = await events({ messages: [user(said('What does this project do?'))] });
    expect(without.queries).toEqual(['readme', 'What does this project do?']);
  });

  it('says that it found nothing, and what it can do', async () => {
    const text = await answer('tell me a joke');
    expect(text).toContain('I found nothing about that');
    expect(text).toContain('`read README.md`');
  });

  it('quotes the part of a long passage that fits the question, with the line of that part', async () => {
    const filler = 'Nothing of note. '.repeat(40);
    const long = passage({ text: `## Keys\n\n${filler}\n\nThe telescope needs a lens.\n\n${filler}` });
    const text = await answer('which lens for the telescope', { passages: [long] });
    expect(text).toContain('docs/setup\\.md\\:16](file:///boat/docs/setup.md#L16)');
    expect(text).toContain('> …\n>\n> The telescope needs a lens\\.\n>\n> …');
  });

  it('quotes the lines of a long table or list that fit the question', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, row) => `| setting${row} | Some explanation of what it does. |`,
    );
    const text = await answer('what is setting25', {
      passages: [passage({ text: `## Keys\n\n${rows.join('\n')}` })],
    });
    expect(text).toContain('\\| setting25 \\|');
    expect(text).not.toContain('\\| setting0 \\|');
    expect(text).toContain(`#L${14 + 25})`);
  });

  it('keeps list items and code on their lines', async () => {
    const text = await answer('key', {
      passages: [passage({ text: 'Do:\n- one\n- two\n\n```sh\nnpm ci\n```' })],
    });
    expect(text).toContain('> Do\\:\\\n> \\- one\\\n> \\- two\n>\n> ```\n> npm ci\n> ```');
  });

  it('shows what a passage says without effect', async () => {
    const hostile = passage({
      label: 'a](command:evil).md',
      path: '/boat/a](command:evil).md',
      headings: ['<img src=x>'],
      text: '[click](command:evil) ![x](http://evil) <b>bold</b> https://evil.example\n> out\n```\n```\n~~~\n\u202Eevil\n~~~',
    });
    const text = await answer('click', { passages: [hostile] });
    expect(text.replace(/^\[.*$/mu, '')).not.toMatch(/(?<!\\)[[<]|(?<!\\):\/\/|\u202E|^[^>*T\n]/mu);
    expect(text).toContain(
      String.raw`[a\]\(command\:evil\)\.md\:12](file:///boat/a%5D%28command:evil%29.md#L12) › \<img src=x\>`,
    );
  });
});

describe('the built-in model: manners', () => {
  it('says what it is and gives examples of commands that are offered', async () => {
    const text = await answer('hello', { tools: tools.filter((tool) => tool.name !== 'write') });
    expect(text).toContain('I am not an AI');
    expect(text).toContain('`list` or `list docs`');
    expect(text).not.toContain('write notes.md');
    expect(await answerTo({})).toContain('I am not an AI');
  });

  it.each(['hello', 'a question', 'write a.md'])('ends the answer to “%s” with what it is', async (text) => {
    expect(await answer(text)).toMatch(/\n\n\*Built-in model: search and commands, no AI\. .*\*$/u);
  });

  it.each(['/tool nope', '/tool x {'])('does not: “%s” may come from somebody with a model', async (text) => {
    expect(await answer(text)).not.toContain('Built-in model');
  });

  it('gives the answer in several events', async () => {
    const seen = await events({ messages: [user(said('hello'))] });
    expect(seen.events.length).toBeGreaterThan(3);
    expect(seen.events.at(-1)).toEqual({ type: 'done', stopReason: 'stop' });
  });

  it('stops within one event when it is cancelled', async () => {
    const abort = new AbortController();
    const model = createBuiltInModel({ search: () => Promise.resolve([]), fileLink: () => '' });
    const stream = model
      .stream({ systemPrompt: '', messages: [], tools, signal: abort.signal })
      [Symbol.asyncIterator]();
    await stream.next();
    abort.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'cancelled' });
  });
});
