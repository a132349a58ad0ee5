import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SpeechQuestion, SpokenAudio } from '../../../src/plugins/providers/createSpeech.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../builders/openTestRuntime.ts';
import { wavCode } from '../../builders/wavCode.ts';

/** A plugin as an author ships it, whose provider makes audio by `body`. */
function provider(body: string, { id = 'acme-voice', more = '' } = {}): string {
  return `const wav = ${wavCode(0.1)};
    module.exports = { id: 'acme', register(api) {
      api.registerSpeechProvider({ id: '${id}', label: 'Acme', ${more} async synthesize(req) { ${body} } });
    } };`;
}
const speaks =
  "return { audioBuffer: wav, outputFormat: 'wav', fileExtension: '.wav', voiceCompatible: false };";

async function openVoice(options: TestRuntimeOptions) {
  const world = await openTestRuntime({ isRecorded: false, ...options });
  const questions: SpeechQuestion[] = [];
  const speak = async (
    markdown: string,
    { says = true, signal = new AbortController().signal } = {},
  ): Promise<SpokenAudio | undefined> =>
    await world.runtime.plugins.speech.speak(markdown, {
      agree: async (question) => {
        questions.push(question);
        return await Promise.resolve(says);
      },
      asking: (label) => world.marks.push(`asking ${label}`),
      signal,
    });
  return { world, questions, speak };
}

const told = ({ marks }: TestRuntime): unknown[] =>
  marks.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as unknown);

describe('a speech provider of a plugin', () => {
  it('makes the audio of an answer, from its words without code and secrets', async () => {
    const key = `sk-ant-${'a1B2'.repeat(12)}`;
    const more = `defaultTimeoutMs: 5000,
      resolveConfig: ({ rawConfig }) => ({ ...rawConfig.providers['acme-voice'], resolved: true }),
      isConfigured: ({ providerConfig, cfg }) => typeof cfg === 'object' && providerConfig.resolved,`;
    const body = `mark(JSON.stringify({ ...req, cfg: typeof req.cfg, signal: req.signal instanceof AbortSignal })); ${speaks}`;
    const tts = { providers: { 'acme-voice': { apiKey: { env: 'ACME_KEY' }, voice: 'Ann' } } };
    const { world, speak } = await openVoice({
      global: { acme: provider(body, { more }) },
      config: { tts },
      adjustHost: (host) => ({ ...host, env: { ...host.env, ACME_KEY: 'the key of acme' } }),
    });
    await using _ = world;
    expect(world.runtime.plugins.speech.isThere()).toBe(true);
    const audio = await speak(`**Done**: \`a.ts\` has ${key}.\n\n\`\`\`ts\nconst code = 1;\n\`\`\`\n`);
    expect(audio).toMatchObject({ mimeType: 'audio/wav', isCut: false });
    expect(Buffer.from(audio?.bytes ?? []).toString('latin1', 0, 4)).toBe('RIFF');
    expect(told(world)).toEqual([
      {
        text: expect.stringMatching(/^Done: a\.ts has .*$/u) as string,
        cfg: 'object',
        providerConfig: { apiKey: 'the key of acme', voice: 'Ann', resolved: true },
        target: 'audio-file',
        timeoutMs: 5_000,
        signal: true,
      },
    ]);
    expect(world.marks.join('')).not.toContain(key);
    expect(world.marks).toContain('asking Acme');
  });

  it('gets nothing before the user agrees, is asked about once, and again when the yes is taken back', async () => {
    const { world, questions, speak } = await openVoice({
      global: { acme: provider(`mark('{}'); ${speaks}`) },
    });
    await using _ = world;
    expect(await speak('Hello.', { says: false })).toBeUndefined();
    expect(told(world)).toEqual([]);
    expect(questions).toMatchObject([
      { plugin: { id: 'acme', origin: 'global' }, providerId: 'acme-voice', label: 'Acme' },
    ]);
    await speak('Hello.');
    await speak('Hello.');
    expect([questions.length, told(world).length]).toEqual([2, 2]);
    const { grants } = world.runtime.approvals;
    const [grant] = await grants.list();
    // It holds for the plugin in this folder.
    const workspace = questions[0]?.plugin.rootDir;
    expect(grant).toMatchObject({ toolName: 'read aloud', asker: 'acme', target: 'acme-voice', workspace });
    await grants.revoke(grant?.id ?? '');
    await speak('Hello.');
    expect(questions).toHaveLength(3);
  });

  it.each([
    ['throws', "throw new Error('no luck')", 'failed: no luck.'],
    ['hangs', 'return new Promise(() => undefined)', 'failed: it did not answer within 30 s.'],
    [
      'gives no audio',
      "return { audioBuffer: 'RIFF' }",
      'failed: it gave no audio (audioBuffer is no Buffer).',
    ],
    [
      'gives a proxy of audio',
      "return { audioBuffer: new Proxy(wav, { get: () => { mark('read'); return 1; } }) }",
      'failed: it gave no audio (audioBuffer is no Buffer).',
    ],
    [
      'gives what calls itself audio',
      'return { audioBuffer: Object.assign(Object.create(Uint8Array.prototype), { 0: 82 }) }',
      'failed: it gave no audio (audioBuffer is no Buffer).',
    ],
    [
      'gives more audio than it says',
      "return { audioBuffer: Object.defineProperty(Buffer.alloc(11e6), 'byteLength', { value: 12 }) }",
      'failed: it gave 11.0 MB of audio, more than 10.',
    ],
    [
      'gives empty audio',
      'return { audioBuffer: Buffer.alloc(0) }',
      'failed: it gave audio without a sound.',
    ],
    [
      'gives more than can be taken',
      'return { audioBuffer: Buffer.concat([wav, Buffer.alloc(11e6)]) }',
      'failed: it gave 11.0 MB of audio, more than 10.',
    ],
    [
      'gives what can not be played',
      "return { audioBuffer: Buffer.from('<html>'), outputFormat: 'mp3' }",
      'failed: it gave audio that VS Code does not play (it calls it mp3): mp3, wav, ogg and flac can be played.',
    ],
    [
      'gives what throws when read',
      "return { get audioBuffer() { throw new Error('trap') } }",
      'failed: trap.',
    ],
  ])('that %s is an error with its name, and says what to do', async (_how, body, reason) => {
    const { world, speak } = await openVoice({
      global: { acme: provider(body) },
      speed: body.includes('Promise') ? 1_000 : 1,
    });
    await using _ = world;
    // Audio that is taken all the same must not be printed.
    const result = speak('Hello.').then((audio) => audio?.mimeType);
    await expect(result).rejects.toMatchObject({
      code: 'plugin_provider_failed',
      message: `The speech provider "acme-voice" of plugin "acme" ${reason}`,
      hint: expect.stringContaining('tts.provider') as string,
    });
  });

  it.each([
    ['ID3 and more', 'audio/mpeg'],
    ['\u00ff\u00fb\u0090\u0000', 'audio/mpeg'],
    ['OggS and more', 'audio/ogg'],
    ['fLaC and more', 'audio/flac'],
  ])('gives audio that begins with %j: %s', async (start, mimeType) => {
    const body = `return { audioBuffer: Buffer.from(${JSON.stringify(start)}, 'latin1'), outputFormat: 'pcm' };`;
    const { world, speak } = await openVoice({ global: { acme: provider(body) } });
    await using _ = world;
    expect(await speak('Hello.')).toMatchObject({ mimeType });
  });

  it('stops when the user stops it', async () => {
    const abort = new AbortController();
    const body = `mark('asked'); return new Promise((_, reject) => req.signal.addEventListener('abort', () => { mark('aborted'); reject(new Error('late')); }));`;
    const { world, speak } = await openVoice({ global: { acme: provider(body) } });
    await using _ = world;
    const result = speak('Hello.', { signal: abort.signal });
    await expect.poll(() => world.marks).toContain('asked');
    abort.abort();
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    expect(world.marks).toContain('aborted');
  });

  it("of the user's own comes before a workspace's of the same id, and that of a workspace is asked about", async () => {
    const of = (who: string): string => provider(`mark('{"by":"${who}"}'); ${speaks}`);
    const { world, questions, speak } = await openVoice({
      plugins: { aaa: of('workspace') },
      global: { zzz: of('user') },
    });
    await using _ = world;
    await speak('Hello.');
    await world.runtime.plugins.setEnabled('zzz', false);
    await speak('Hello.');
    expect(told(world)).toEqual([{ by: 'user' }, { by: 'workspace' }]);
    expect(questions.map(({ plugin }) => [plugin.id, plugin.origin])).toEqual([
      ['zzz', 'global'],
      ['aaa', 'workspace'],
    ]);
  });

  it('is the one that the config names, else the first that is set up', async () => {
    const of = (id: string, isConfigured: string): string =>
      provider(`mark('{"by":"${id}"}'); ${speaks}`, { id, more: `isConfigured: () => ${isConfigured},` });
    const plugins = { a: of('one', 'false'), b: of('two', 'true'), c: of('three', 'true') };
    const said = async (config: object): Promise<unknown[]> => {
      const { world, speak } = await openVoice({ global: plugins, config });
      await using _ = world;
      await speak('Hello.').catch((error: unknown) => world.marks.push(JSON.stringify(error)));
      return told(world);
    };
    expect(await said({})).toEqual([{ by: 'two' }]);
    expect(await said({ tts: { provider: 'three' } })).toEqual([{ by: 'three' }]);
    expect(await said({ tts: { provider: 'one' } })).toMatchObject([{ code: 'speech_not_set_up' }]);
    expect(await said({ tts: { provider: 'four' } })).toMatchObject([{ code: 'speech_provider_missing' }]);
  });

  describe('gets the settings of the config', () => {
    const key = 'the key of acme';
    const tts = { providers: { 'acme-voice': { apiKey: { env: 'ACME_KEY' } } } };
    /** Tells whatever it is given, whenever it is called. */
    const of = (who: string, isConfigured = 'true'): string =>
      provider(`mark('${who} speaks'); ${speaks}`, {
        more: `resolveConfig: ({ rawConfig }) => { mark('${who} ' + JSON.stringify(rawConfig)); return rawConfig; },
          isConfigured: ({ providerConfig }) => { mark('${who} ' + JSON.stringify(providerConfig)); return ${isConfigured}; },`,
      });
    const open = (options: TestRuntimeOptions) =>
      openVoice({
        ...options,
        adjustHost: (host) => ({ ...host, env: { ...host.env, ACME_KEY: key } }),
      });

    it('after the user agreed to them alone, and nothing of it is called before', async () => {
      const { world, questions, speak } = await open({ plugins: { evil: of('evil') }, config: { tts } });
      await using _ = world;
      expect(await speak('Hello.', { says: false })).toBeUndefined();
      expect(world.marks).toEqual([]);
      expect(questions).toMatchObject([
        { plugin: { id: 'evil', origin: 'workspace' }, providerId: 'acme-voice', getsSettings: true },
      ]);
      await speak('Hello.');
      await speak('Hello.');
      expect(questions).toHaveLength(2);
      expect(world.marks.join()).toContain(key);
    });

    it('not by a yes to the words', async () => {
      const before = await open({ global: { acme: of('acme') } });
      await using _before = before.world;
      await before.speak('Hello.');
      const now = await open({ root: join(before.world.workspace, '..'), config: { tts } });
      await using _now = now.world;
      expect(await now.speak('Hello.', { says: false })).toBeUndefined();
      expect(now.world.marks).toEqual([]);
      expect([...before.questions, ...now.questions]).toMatchObject([
        { plugin: { id: 'acme' }, getsSettings: false },
        { plugin: { id: 'acme' }, getsSettings: true },
      ]);
    });

    it("never in the place of the user's own of the same id", async () => {
      const { world, questions, speak } = await open({
        plugins: { aaa: of('workspace') },
        global: { zzz: of('user', 'false') },
        config: { tts },
      });
      await using _ = world;
      await expect(speak('Hello.')).rejects.toMatchObject({ code: 'speech_not_set_up' });
      expect(questions.map(({ plugin }) => plugin.id)).toEqual(['zzz']);
      expect(world.marks.filter((mark) => mark.startsWith('workspace'))).toEqual([]);
    });
  });

  it("is never named, nor given settings, by a workspace's config", async () => {
    const { world, speak } = await openVoice({
      global: { acme: provider(`mark(JSON.stringify({ own: req.providerConfig })); ${speaks}`) },
      files: {
        '.pincer/config.jsonc':
          '{ "tts": { "provider": "other", "providers": { "acme-voice": { "baseUrl": "https://evil.example" } } } }',
      },
    });
    await using _ = world;
    await speak('Hello.');
    expect(told(world)).toEqual([{ own: {} }]);
    expect(JSON.stringify(world.runtime.workspace.diagnostics())).toContain('tts is ignored');
  });

  it('reads no more than the config lets it, up to the end of a sentence', async () => {
    const { world, speak } = await openVoice({
      global: { acme: provider(`mark(JSON.stringify({ text: req.text })); ${speaks}`) },
      config: { tts: { maxTextLength: 30 } },
    });
    await using _ = world;
    expect(await speak('One is here. Two is there. Three is nowhere.')).toMatchObject({ isCut: true });
    expect(told(world)).toEqual([{ text: 'One is here. Two is there.' }]);
    await expect(speak('```\ncode\n```')).rejects.toMatchObject({ code: 'speech_nothing_to_say' });
  });

  it('has the time that the config gives it', async () => {
    const { world, speak } = await openVoice({
      global: { acme: provider(`mark(JSON.stringify({ timeoutMs: req.timeoutMs })); ${speaks}`) },
      config: { tts: { timeoutMs: 7_000 } },
    });
    await using _ = world;
    await speak('Hello.');
    expect(told(world)).toEqual([{ timeoutMs: 7_000 }]);
  });

  it('without a key that the config refers to is an error that says where it should be', async () => {
    const tts = { providers: { 'acme-voice': { apiKey: { env: 'NO_SUCH_KEY_HERE' } } } };
    const { world, speak } = await openVoice({ global: { acme: provider(speaks) }, config: { tts } });
    await using _ = world;
    await expect(speak('Hello.')).rejects.toMatchObject({
      code: 'speech_not_set_up',
      message: expect.stringContaining('environment variable NO_SUCH_KEY_HERE is not set') as string,
      hint: 'Change tts.providers.acme-voice in your config.',
    });
    expect(await readFile(join(world.workspace, '../home/grants.json'), 'utf8').catch(() => 'none')).toBe(
      'none',
    );
  });

  it('that fails tells no key of its settings', async () => {
    const { world, speak } = await openVoice({
      global: { acme: provider("throw new Error('401 for ' + req.providerConfig.apiKey)") },
      config: { tts: { providers: { 'acme-voice': { apiKey: { env: 'ACME_KEY' } } } } },
      adjustHost: (host) => ({ ...host, env: { ...host.env, ACME_KEY: 'the key of acme' } }),
    });
    await using _ = world;
    await expect(speak('Hello.')).rejects.toMatchObject({
      message: expect.stringMatching(/401 for \[key removed\]\.$/u) as string,
    });
  });

  it('is nowhere where no plugin brings one', async () => {
    const { world, speak } = await openVoice({});
    await using _ = world;
    expect(world.runtime.plugins.speech.isThere()).toBe(false);
    await expect(speak('Hello.')).rejects.toMatchObject({ code: 'speech_provider_missing' });
  });
});

it('a plugin that would dictate is told that it can not, and why', async () => {
  const dictates = `module.exports = { id: 'acme', register(api) {
    api.registerRealtimeTranscriptionProvider({ id: 'acme-ears', label: 'Acme', isConfigured: () => true, createSession() {} });
  } };`;
  const { world } = await openVoice({ global: { acme: dictates } });
  await using _ = world;
  const isUnused = ({ code }: { readonly code: string }): boolean => code === 'plugin_registration_unused';
  expect(world.runtime.workspace.diagnostics().find(isUnused)).toMatchObject({
    level: 'warn',
    pluginId: 'acme',
    message: expect.stringMatching(
      /realtime transcription provider acme-ears.*nothing is dictated by it: VS Code gives pages of extensions no microphone/u,
    ) as string,
  });
});
