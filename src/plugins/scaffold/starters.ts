/** What a new plugin begins with. */
export type StarterKind = 'tool' | 'guard' | 'command';

interface Starter {
  /** Where the author gives none. */
  readonly description: string;
  /** Added to the manifest. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** `index.ts`. */
  readonly code: string;
  /** `index.test.mjs`. */
  readonly test: string;
  /** A paragraph of the README. */
  readonly usage: string;
}

/** One row a kind; `id` is a checked one, which is safe in code. */
export const starters: Readonly<Record<StarterKind, (id: string) => Starter>> = {
  tool: createToolStarter,
  guard: createGuardStarter,
  command: createCommandStarter,
};

/** For pickers and help texts. */
export const starterTitles: Readonly<Record<StarterKind, string>> = {
  tool: 'A tool that the model can call',
  guard: 'A guard that stops tool calls',
  command: 'A slash command for the chat',
};

function settings(name: string, schema: object, label: string): Readonly<Record<string, unknown>> {
  return {
    configSchema: { type: 'object', additionalProperties: false, properties: { [name]: schema } },
    uiHints: { [name]: { label } },
  };
}

function createToolStarter(id: string): Starter {
  const tool = id.replaceAll('-', '_');
  return {
    description: 'Counts the words of a text.',
    usage: `The model can call the tool \`${tool}\`.`,
    manifest: {
      contracts: { tools: [tool] },
      ...settings(
        'minLength',
        { type: 'integer', minimum: 1, default: 1, description: 'Shorter words are not counted.' },
        'Shortest word that counts',
      ),
    },
    code: `import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

export default {
  id: '${id}',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the type and fills in the default.
    const minLength = api.pluginConfig['minLength'] as number;
    api.registerTool({
      name: '${tool}',
      description: 'Counts the words of a text.',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', description: 'The text.' } },
        required: ['text'],
      },
      execute: async (_toolCallId, params) => {
        const count = countWords(String(params['text']), minLength);
        return { content: [{ type: 'text', text: \`\${count} words\` }], details: { count } };
      },
    });
  },
};

export function countWords(text: string, minLength: number): number {
  return text.split(/\\s+/).filter((word) => word.length >= minLength).length;
}
`,
    test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from './index.ts';

/** Registers the plugin with as much of the API as it uses, and gives its tool. */
function loadTool(pluginConfig) {
  let tool;
  plugin.register({ pluginConfig, registerTool: (registered) => (tool = registered) });
  return tool;
}

test('counts words', async () => {
  const result = await loadTool({ minLength: 1 }).execute('call-1', { text: 'one  two three' });
  assert.deepEqual(result.details, { count: 3 });
  assert.equal(result.content[0].text, '3 words');
});

test('leaves out words that are shorter than the setting says', async () => {
  const result = await loadTool({ minLength: 5 }).execute('call-1', { text: 'one two three' });
  assert.deepEqual(result.details, { count: 1 });
});
`,
  };
}

function createGuardStarter(id: string): Starter {
  return {
    description: 'Keeps tools away from files by their names.',
    usage: 'A tool call whose path holds one of the names of the setting `names` is blocked.',
    manifest: settings(
      'names',
      {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        default: ['.env', 'secrets'],
        description: 'Calls are blocked whose path has one of these names in it.',
      },
      'Blocked names',
    ),
    code: `import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

export default {
  id: '${id}',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the type and fills in the default.
    const names = api.pluginConfig['names'] as string[];
    api.on('before_tool_call', (event) => {
      const name = findBlocked(event.params['path'], names);
      if (name === undefined) return undefined;
      return { block: true, blockReason: \`\${name} is off limits for tools.\` };
    });
  },
};

/** The first of \`names\` that is a part of the path. */
export function findBlocked(path: unknown, names: readonly string[]): string | undefined {
  if (typeof path !== 'string') return undefined;
  const parts = path.split(/[\\\\/]/);
  return names.find((name) => parts.includes(name));
}
`,
    test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from './index.ts';

/** Registers the plugin with as much of the API as it uses, and gives its guard. */
function loadGuard(names) {
  let guard;
  plugin.register({ pluginConfig: { names }, on: (_hook, handler) => (guard = handler) });
  return guard;
}

test('blocks a call whose path has a blocked name', () => {
  const guard = loadGuard(['.env']);
  const verdict = guard({ toolName: 'write', params: { path: 'app/.env' } });
  assert.deepEqual(verdict, { block: true, blockReason: '.env is off limits for tools.' });
});

test('lets other calls pass', () => {
  const guard = loadGuard(['.env']);
  assert.equal(guard({ toolName: 'write', params: { path: 'app/env.ts' } }), undefined);
  assert.equal(guard({ toolName: 'other', params: {} }), undefined);
});
`,
  };
}

function createCommandStarter(id: string): Starter {
  return {
    description: 'Says hello.',
    usage: `Type \`/${id} <name>\` in the chat.`,
    manifest: settings(
      'greeting',
      { type: 'string', minLength: 1, default: 'Hello', description: 'What comes before the name.' },
      'Greeting',
    ),
    code: `import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

export default {
  id: '${id}',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the type and fills in the default.
    const greeting = api.pluginConfig['greeting'] as string;
    api.registerCommand({
      name: '${id}',
      description: 'Says hello to somebody.',
      acceptsArgs: true,
      handler: ({ args = '' }) => ({ text: \`\${greeting}, \${args.trim() || 'world'}!\` }),
    });
  },
};
`,
    test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from './index.ts';

/** Registers the plugin with as much of the API as it uses, and gives its command. */
function loadCommand(greeting) {
  let command;
  plugin.register({ pluginConfig: { greeting }, registerCommand: (registered) => (command = registered) });
  return command;
}

test('greets whoever is named', () => {
  assert.deepEqual(loadCommand('Hello').handler({ args: 'Ada' }), { text: 'Hello, Ada!' });
});

test('greets with what the setting says', () => {
  assert.deepEqual(loadCommand('Hi').handler({}), { text: 'Hi, world!' });
});
`,
  };
}
