import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

function footer(answer: string): string {
  return `module.exports = (api) => api.on('reply_payload_sending', (event) => { mark(event.kind + ' ' + event.channel); return ${answer}; });`;
}

it('reply_payload_sending changes what is shown and stored, before message_sending sees it', async () => {
  await using world = await openTestRuntime({
    plugins: {
      footer: footer("{ payload: { ...event.payload, text: event.payload.text + ' – 12 tokens' } }"),
      shout:
        "module.exports = (api) => api.on('message_sending', (event) => ({ content: event.content.toUpperCase() }));",
    },
  });
  const { shown } = await world.say('hi', [{ text: 'Hello' }]);
  expect(shown).toBe('HELLO – 12 TOKENS');
  expect(world.marks).toEqual(['final vscode']);
  expect(JSON.stringify(world.session.messages())).toContain('HELLO – 12 TOKENS');
});

it('a cancel of reply_payload_sending withholds the answer and says who and why; message_sending is not asked', async () => {
  await using world = await openTestRuntime({
    plugins: {
      gate: footer("{ cancel: true, reason: 'quiet hours' }"),
      late: "module.exports = (api) => api.on('message_sending', () => void mark('asked'));",
    },
  });
  const { shown } = await world.say('hi', [{ text: 'Hello' }]);
  expect(shown).toBe('Plugin gate withheld this answer: quiet hours');
  expect(world.marks).toEqual(['final vscode']);
});
