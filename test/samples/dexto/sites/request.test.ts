import { describe, expect, it } from 'vitest';
import type { ImagePart, TextPart } from '../../../../src/contracts/message.ts';
import type { BeforeLLMRequestPayload } from '../../../../src/dexto/dextoTypes.ts';
import { readyPlugin } from '../../../builders/openExtensionPoints.ts';
import { openTurnWorld } from '../../../builders/openTurnWorld.ts';

// beforeLLMRequest: once a turn, before the model and the transcript get what was said; what is blocked or taken out is kept nowhere.

/** Blocks what holds `hunter2`, and quotes it. */
const guard = readyPlugin('guard', {
  beforeLLMRequest: ({ text }) =>
    text.includes('hunter2')
      ? {
          ok: false,
          cancel: true,
          message: `No passwords: ${text}`,
          notices: [{ kind: 'block', code: 'QUOTA_EXCEEDED', message: text }],
        }
      : { ok: true },
});
/** Lets everything pass, and quotes it. */
const chatty = readyPlugin('chatty', {
  beforeLLMRequest: ({ text }) => ({
    ok: true,
    message: `I saw ${text}`,
    modify: { text: `${text}!` },
    notices: [{ kind: 'info', message: `saw ${text}` }],
  }),
});
const upper = readyPlugin('upper', {
  beforeLLMRequest: ({ text }) => ({ ok: true, modify: { text: text.toUpperCase() } }),
});
const replacement = '[Plugin guard blocked this message: nothing of it was kept.]';

describe('what begins a turn', () => {
  it('is judged once for the turn, after message_received and before before_model_resolve', async () => {
    const order: string[] = [];
    const spy = readyPlugin('spy', {
      beforeLLMRequest: ({ text, sessionId }, context) => {
        order.push(`beforeLLMRequest ${text} ${String(sessionId === context.sessionId)}`);
        return { ok: true };
      },
    });
    await using world = await openTurnWorld({ dexto: [spy], answers: [['a'], 'Done.'] });
    world.on('message_received', () => void order.push('message_received'));
    world.on('before_model_resolve', () => void order.push('before_model_resolve'));
    await world.say('hi');
    expect(order).toEqual(['message_received', 'beforeLLMRequest hi true', 'before_model_resolve']);
    expect(world.asked).toHaveLength(2);
  });

  it('is what plugins made of it, for every later hook, the transcript and the model', async () => {
    await using world = await openTurnWorld({ dexto: [upper] });
    const seen: string[] = [];
    world.on('before_model_resolve', ({ prompt }) => void seen.push(prompt));
    world.on('agent_turn_prepare', ({ prompt }) => void seen.push(prompt));
    world.on('before_prompt_build', ({ prompt }) => void seen.push(prompt));
    world.on('before_agent_start', ({ prompt }) => void seen.push(prompt));
    world.on('before_agent_run', ({ prompt }) => {
      seen.push(prompt);
      return { outcome: 'pass' };
    });
    world.on('before_agent_reply', ({ cleanedBody }) => void seen.push(cleanedBody));
    world.on('llm_input', ({ prompt }) => void seen.push(prompt));
    world.on('llm_output', ({ prompt }) => void seen.push(prompt ?? ''));
    await world.say('whisper');
    expect(seen).toEqual(Array(8).fill('WHISPER'));
    expect(world.transcript()).toEqual(['user: WHISPER', 'assistant: Done.']);
    expect(world.trace).toContain('model 1: user: WHISPER');
    expect(await world.stored()).not.toContain('whisper');
  });

  it('comes with the first image and all files as one, which plugins change, take away and add', async () => {
    const seen: BeforeLLMRequestPayload[] = [];
    let modify: Record<string, unknown> = {};
    const editor = readyPlugin('editor', {
      beforeLLMRequest: (payload) => {
        seen.push(payload);
        return { ok: true, modify };
      },
    });
    await using world = await openTurnWorld({ dexto: [editor], info: { imageInput: true } });
    const image = (data: string): ImagePart => ({ type: 'image', data, mimeType: 'image/png' });
    const file = (text: string): TextPart => ({
      type: 'text',
      text: `As data:\n<attachment name="src/ä.ts">\n${text}\n</attachment>`,
      isContext: true,
    });
    const attachments = [file('one'), image('AAAA'), file('two'), image('BBBB')];
    const said = async (): Promise<unknown> => {
      await world.say('look', { attachments });
      return world.asked
        .at(-1)
        ?.messages.findLast(({ role }) => role === 'user')
        ?.content.slice(1);
    };

    expect(await said()).toEqual(attachments);
    expect(seen[0]).toMatchObject({
      imageData: { image: 'AAAA', mimeType: 'image/png' },
      fileData: { mimeType: 'text/plain', filename: 'src/ä.ts, src/ä.ts' },
    });
    // No guard misses the second file: there is room for one, so it holds both.
    const held = Buffer.from(seen[0]?.fileData?.data ?? '', 'base64').toString();
    expect(held).toBe(`${file('one').text}\n\n${file('two').text}`);

    modify = {
      imageData: { image: 'data:image/jpeg;base64,CCCC', mimeType: 'image/jpeg' },
      fileData: { data: Buffer.from('räd').toString('base64'), mimeType: 'text/plain' },
    };
    const red = { type: 'text', text: 'räd', isContext: true };
    const jpeg = { type: 'image', data: 'CCCC', mimeType: 'image/jpeg' };
    expect(await said()).toEqual([red, jpeg, attachments[3]]);

    modify = { imageData: undefined, fileData: { data: 'not base64!', mimeType: 'text/plain' } };
    expect(await said()).toEqual([{ ...red, text: 'not base64!' }]);

    modify = { fileData: { data: 'DDDD', mimeType: 'image/gif' }, imageData: jpegData };
    await world.say('nothing attached');
    expect(world.asked.at(-1)?.messages.at(-1)?.content.slice(1)).toEqual([
      jpeg,
      { type: 'image', data: 'DDDD', mimeType: 'image/gif' },
    ]);
  });

  it('leaves nothing but a replacement where it is blocked, and answers with the words of the plugin', async () => {
    await using world = await openTurnWorld({ dexto: [chatty, guard] });
    world.on('message_received', ({ content }) => Promise.reject(new Error(content)));
    const ends: unknown[] = [];
    const later: string[] = [];
    world.on('before_model_resolve', () => void later.push('before_model_resolve'));
    world.on('agent_end', (event) => void ends.push(event));
    const outcome = await world.say('my password is hunter2');
    expect(outcome).toEqual({
      status: 'blocked',
      pluginId: 'guard',
      text: 'No passwords: my password is hunter2!',
      httpStatus: 429,
      code: 'PLUGIN_BLOCKED_EXECUTION',
    });
    expect(world.transcript()).toEqual([`user: ${replacement}`]);
    expect(world.asked).toEqual([]);
    expect(later).toEqual([]);
    expect(ends).toMatchObject([{ success: false, error: 'blocked' }]);
    const trace = await world.traced();
    expect(trace).toMatchObject({ status: 'blocked', blockedBy: 'guard' });
    expect(JSON.stringify([trace, ends, await world.stored()])).not.toContain('hunter2');
  });

  it('is 403 where no notice says more', async () => {
    const strict = readyPlugin('strict', { beforeLLMRequest: () => ({ ok: false, cancel: true }) });
    await using world = await openTurnWorld({ dexto: [strict] });
    expect(await world.say('hi')).toMatchObject({ status: 'blocked', httpStatus: 403 });
  });

  it('is cancelled with the turn, and nothing of it is stored', async () => {
    const slow = readyPlugin('slow', {
      beforeLLMRequest: () => {
        world.cancel();
        return new Promise(() => undefined);
      },
    });
    await using world = await openTurnWorld({ dexto: [slow] });
    expect(await world.say('hi')).toEqual({ status: 'cancelled' });
    expect(world.transcript()).toEqual([]);
  });
});

const jpegData = { image: 'CCCC', mimeType: 'image/jpeg' };

describe('what the user says while a turn runs', () => {
  it('is judged before before_agent_run, and stored as plugins left it', async () => {
    await using world = await openTurnWorld({
      dexto: [upper],
      answers: [['a'], 'I see.', 'Bye.'],
      at: { 'call a': ({ steer }) => steer('and quick'), 'model 2': ({ queue }) => queue('then go') },
    });
    const judged: string[] = [];
    world.on('before_agent_run', ({ prompt }) => {
      judged.push(prompt);
      return { outcome: 'pass' };
    });
    await world.say('work');
    expect(judged).toEqual(['WORK', 'AND QUICK', 'THEN GO']);
    expect(world.transcript()).toEqual([
      'user: WORK',
      'assistant: [a]',
      'a: did a',
      'user: AND QUICK',
      'assistant: I see.',
      'user: THEN GO',
      'assistant: Bye.',
    ]);
  });

  it.each(['steer', 'queue'] as const)('leaves only a replacement where a %s is blocked', async (way) => {
    await using world = await openTurnWorld({
      dexto: [chatty, guard],
      answers: [['a'], 'I see.'],
      at: { 'call a': (happening) => happening[way]('it is hunter2') },
    });
    world.on('message_received', ({ content }) => Promise.reject(new Error(content)));
    const judged: string[] = [];
    world.on('before_agent_run', ({ prompt }) => {
      judged.push(prompt);
      return { outcome: 'pass' };
    });
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
    expect(judged).toEqual(['work!']);
    expect(world.transcript()).toContain(`user: ${replacement}`);
    expect(world.trace).toContain('notice: Plugin guard stopped your message: No passwords: it is hunter2!');
    const asked = world.asked.map(({ messages }) => messages);
    expect(JSON.stringify([asked, await world.stored(), await world.traced()])).not.toContain('hunter2');
  });
});
