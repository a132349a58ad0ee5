import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;

export default function register(api: OpenClawPluginApi) {
  // A tool: the model calls it.
  api.registerTool({
    name: 'word_count',
    description: 'Counts the words of a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    execute: async (_callId, { text }) => ({
      content: [{ type: 'text', text: `${countWords(String(text))} words` }],
    }),
  });

  // A command: you type /words and a text in the chat.
  api.registerCommand({
    name: 'words',
    description: 'Counts the words of what you type after it.',
    acceptsArgs: true,
    handler: ({ args = '' }) => ({ text: `${countWords(args)} words` }),
  });

  // A hook: it sees every tool call after it ran.
  api.on('after_tool_call', (event) => {
    api.logger.info(`${event.toolName} answered with ${countWords(JSON.stringify(event.result ?? ''))} words`);
  });
}
