import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActingModel } from '../conversations/actingModel.ts';
import { openConversation, talk } from '../conversations/openConversation.ts';

/** A plugin that tells its name at each turn. */
const teller = (id: string): string =>
  `module.exports = (api) => api.on('agent_turn_prepare', () => mark('${id}'));`;
const global = { a: teller('a'), b: teller('b') };

/** What plugins have marked after one turn, sorted. */
async function marked(
  config: object,
  plugins: Readonly<Record<string, string>> = global,
): Promise<readonly string[]> {
  await using world = await openConversation({ config, global: plugins });
  await talk(world, 'hi', createActingModel([{ text: 'Fine.' }]));
  return [...world.marks].sort();
}

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-plugin-keys-')));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

describe('which plugins load', () => {
  it('plugins.enabled switches all off where it is false, and is the list of the only ones otherwise', async () => {
    expect(await marked({})).toEqual(['a', 'b']);
    expect(await marked({ plugins: { enabled: false } })).toEqual([]);
    expect(await marked({ plugins: { enabled: ['a'] } })).toEqual(['a']);
  });

  it('plugins.disabled names those that never load', async () => {
    expect(await marked({ plugins: { disabled: ['a'] } })).toEqual(['b']);
  });

  it('plugins.allow names the only ones', async () => {
    expect(await marked({ plugins: { allow: ['a'] } })).toEqual(['a']);
  });

  it('plugins.deny names those that never load', async () => {
    expect(await marked({ plugins: { deny: ['a'] } })).toEqual(['b']);
  });

  it('plugins.entries.*.enabled switches one', async () => {
    expect(await marked({ plugins: { entries: { a: { enabled: false } } } })).toEqual(['b']);
  });

  it('plugins.load.paths names more of them', async () => {
    const manifest = JSON.stringify({ id: 'c', configSchema: { type: 'object' } });
    await write({ 'c/openclaw.plugin.json': manifest, 'c/index.js': teller('c') });
    expect(await marked({ plugins: { load: { paths: [join(folder, 'c')] } } })).toEqual(['a', 'b', 'c']);
  });

  const ofKind = (kind: string, id: string): string =>
    `module.exports = { kind: '${kind}', register(api) { api.on('agent_turn_prepare', () => mark('${id}')); } };`;

  it('plugins.slots.memory chooses among plugins of that kind', async () => {
    const plugins = { a: ofKind('memory', 'a'), b: ofKind('memory', 'b') };
    expect(await marked({ plugins: { slots: { memory: 'b' } } }, plugins)).toEqual(['b']);
    expect(await marked({ plugins: { slots: { memory: 'none' } } }, plugins)).toEqual([]);
  });

  it('plugins.slots.contextEngine chooses among plugins of that kind', async () => {
    const plugins = { a: ofKind('context-engine', 'a'), b: ofKind('context-engine', 'b') };
    expect(await marked({ plugins: { slots: { contextEngine: 'b' } } }, plugins)).toEqual(['b']);
  });
});

describe('settings of one plugin', () => {
  it('plugins.entries.*.config is what it reads', async () => {
    const a = 'module.exports = (api) => mark(String(api.pluginConfig?.colour));';
    expect(await marked({ plugins: { entries: { a: { config: { colour: 'red' } } } } }, { a })).toContain(
      'red',
    );
  });

  it('plugins.entries.*.hooks.allowConversationAccess lets it hear what is said', async () => {
    const a = "module.exports = (api) => api.on('llm_input', () => mark('heard'));";
    const entries = { a: { hooks: { allowConversationAccess: true } } };
    expect(await marked({ plugins: { entries } }, { a })).toEqual(['heard']);
  });

  it('plugins.entries.*.hooks.allowPromptInjection keeps what it says out of prompts where it is false', async () => {
    const a =
      "module.exports = (api) => api.on('before_prompt_build', () => ({ prependContext: 'Beware.' }));";
    const asked = async (config: object): Promise<string> => {
      await using world = await openConversation({ config, global: { a } });
      const model = createActingModel([{ text: 'Fine.' }]);
      await talk(world, 'hi', model);
      return JSON.stringify(model.asked);
    };
    expect(await asked({})).toContain('Beware.');
    const entries = { a: { hooks: { allowPromptInjection: false } } };
    expect(await asked({ plugins: { entries } })).not.toContain('Beware.');
  });
});

describe('operator hooks', () => {
  const handler = (name: string): string =>
    `export default (event) => mark('${name} ' + event.context.env?.WORD);`;
  const text = (name: string): string =>
    `---\nname: ${name}\ndescription: d\nmetadata: {"openclaw":{"events":["message:received"]}}\n---\n`;
  const hook = (at: string, name: string) =>
    write({ [`${at}/${name}/HOOK.md`]: text(name), [`${at}/${name}/handler.js`]: handler(name) });

  /** What the hooks of the user's home have marked after one turn, sorted. */
  async function told(internal: object): Promise<readonly string[]> {
    const config = { hooks: { internal: { enabled: true, ...internal } } };
    await using world = await openConversation({ config, root: folder });
    await talk(world, 'hi', createActingModel([{ text: 'Fine.' }]));
    return [...world.marks].sort();
  }

  it('hooks.internal.entries.*.enabled switches one', async () => {
    await hook('home/hooks', 'one');
    await hook('home/hooks', 'two');
    expect(await told({})).toEqual(['one undefined', 'two undefined']);
    expect(await told({ entries: { one: { enabled: false } } })).toEqual(['two undefined']);
  });

  it('hooks.internal.entries.*.env is what it finds in its context', async () => {
    await hook('home/hooks', 'one');
    expect(await told({ entries: { one: { env: { WORD: 'aye' } } } })).toEqual(['one aye']);
  });

  it('hooks.internal.load.extraDirs names more folders with hooks', async () => {
    await hook('more', 'three');
    expect(await told({ load: { extraDirs: [join(folder, 'more')] } })).toEqual(['three undefined']);
  });
});
