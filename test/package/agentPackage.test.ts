import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';

const run = promisify(execFile);

/** One guard for all points: what it finds in the words says what it does. */
const guard = `export default class {
  judge(words) {
    if (words.includes('BOOM')) throw new Error('no tide table');
    const code = /CODE-([A-Z_]+)/.exec(words)?.[1];
    return code === undefined ? { ok: true } : { ok: false, cancel: true, message: 'Not today.', notices: [{ kind: 'block', code, message: 'No.' }] };
  }
  beforeLLMRequest({ text }) { return this.judge(text); }
  beforeToolCall({ args }) { return this.judge(JSON.stringify(args)); }
  afterToolResult({ result }) { return this.judge(JSON.stringify(result)); }
  beforeResponse({ content }) { return this.judge(content); }
}
`;
const agentFile = `
plugins:
  custom:
    - { name: harbour, module: '\${{dexto.agent_dir}}/harbour.ts', priority: 10 }
`;
const brokenFile = `
plugins:
  custom:
    - { name: harbour, module: ./harbour.ts, priority: low }
`;
const goneFile = `
plugins:
  custom:
    - { name: harbour, module: '\${{dexto.agent_dir}}/gone.ts', priority: 10 }
`;

const program = `import { httpStatusOfError, openAgent, type Agent, type AgentReply, type AgentStop } from 'pincer/agent';

declare const process: { readonly argv: readonly string[]; exitCode: number };
declare const console: { log(text: string): void };

const [, , agentFile = '', ...requests] = process.argv;
const told = ({ httpStatus, status, text, code, stops }: AgentReply) => ({
  httpStatus, status, text, code,
  stops: stops.map(({ plugin, point, httpStatus, toolName }: AgentStop) => [plugin, point, httpStatus, toolName]),
});

try {
  const agent: Agent = await openAgent({ workspace: process.argv.length > 2 ? 'workspace' : 'nowhere', stateDir: 'state', agentFile, approve: 'full' });
  const replies = [];
  for (const request of requests) {
    const [message = '', model = ''] = request.split('|');
    replies.push(told(await agent.run({ message, model })));
  }
  await agent.close();
  console.log(JSON.stringify(replies));
} catch (error) {
  console.log(JSON.stringify({ thrown: httpStatusOfError(error), name: error instanceof Error ? error.message : '' }));
}
`;

let folder: string;
const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};
const turns = (...all: readonly object[]): string => all.map((turn) => `${JSON.stringify(turn)}\n`).join('');
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: join(folder, 'home'),
  USERPROFILE: join(folder, 'home'),
  PINCER_HOME: join(folder, 'pincer-home'),
});

/** What a program of its own says that has installed the package. */
async function serve(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['server.js', ...args], { cwd: folder, env: environment() });
  return JSON.parse(stdout);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-server-')));
  const installed = join(folder, 'node_modules', 'pincer');
  await mkdir(installed, { recursive: true });
  await cp(join(projectRoot, 'package.json'), join(installed, 'package.json'));
  await cp(join(projectRoot, 'dist'), join(installed, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  const read = (path: string): object => ({ toolCalls: [{ name: 'read', arguments: { path } }] });
  await write({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ strict: true, exactOptionalPropertyTypes: true, types: [], lib: ['es2023', 'dom'] },
        ...{ target: 'es2023', module: 'nodenext' },
      },
      files: ['server.ts'],
    }),
    'server.ts': program,
    'agents/agent.yml': agentFile,
    'agents/harbour.ts': guard,
    'agents/broken.yml': brokenFile,
    'agents/gone.yml': goneFile,
    'workspace/tides.md': 'CODE-UNAUTHORIZED',
    'aye.jsonl': turns({ text: 'Aye.' }),
    'quota.jsonl': turns({ text: 'CODE-QUOTA_EXCEEDED' }),
    'call.jsonl': turns(read('CODE-TOOL_NOT_ALLOWED'), { text: 'I could not.' }),
    'result.jsonl': turns(read('tides.md'), { text: 'I saw nothing.' }),
  });
  await run(process.execPath, [join(projectRoot, 'node_modules', '@typescript', 'native', 'bin', 'tsc')], {
    cwd: folder,
  }).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package for programs that run an agent', () => {
  it('gives the status of what stopped a message or an answer, and of each stop at all four points', async () => {
    const replies = await serve(
      'agents/agent.yml',
      'Hello|replay:aye.jsonl',
      'CODE-UNAUTHORIZED|replay:aye.jsonl',
      'CODE-OTHER|replay:aye.jsonl',
      'BOOM|replay:aye.jsonl',
      'Hello|replay:quota.jsonl',
      'Hello|replay:call.jsonl',
      'Hello|replay:result.jsonl',
    );
    const stopped = 'PLUGIN_BLOCKED_EXECUTION';
    expect(replies).toEqual([
      { status: 'completed', httpStatus: 200, text: 'Aye.', stops: [] },
      {
        ...{ status: 'blocked', httpStatus: 401, text: 'Not today.', code: stopped },
        stops: [['harbour', 'beforeLLMRequest', 401, null]],
      },
      {
        ...{ status: 'blocked', httpStatus: 403, text: 'Not today.', code: stopped },
        stops: [['harbour', 'beforeLLMRequest', 403, null]],
      },
      {
        ...{ status: 'blocked', httpStatus: 500, code: 'PLUGIN_EXECUTION_FAILED' },
        text: expect.stringMatching(/The plugin harbour failed.*harbour\.ts:3/u) as unknown,
        stops: [['harbour', 'beforeLLMRequest', 500, null]],
      },
      {
        ...{ status: 'blocked', httpStatus: 429, text: 'Not today.', code: stopped },
        stops: [['harbour', 'beforeResponse', 429, null]],
      },
      {
        ...{ status: 'completed', httpStatus: 200, text: 'I could not.' },
        stops: [['harbour', 'beforeToolCall', 403, 'read']],
      },
      {
        ...{ status: 'completed', httpStatus: 200, text: 'I saw nothing.' },
        stops: [['harbour', 'afterToolResult', 401, 'read']],
      },
    ]);
  });

  it('gives 400 for what is asked or configured wrong, and 500 for a plugin that can not be loaded', async () => {
    const refused = (httpStatus: number, code: string): object =>
      expect.objectContaining({ status: 'failed', httpStatus, code }) as object;
    expect(await serve('agents/agent.yml', '|replay:aye.jsonl', 'Hello|nobody/nothing')).toEqual([
      refused(400, 'message_empty'),
      refused(400, 'model_unknown'),
    ]);
    expect(await serve('agents/broken.yml', 'Hello|replay:aye.jsonl')).toEqual([
      refused(400, 'agent_stopped'),
    ]);
    expect(await serve('agents/gone.yml', 'Hello|replay:aye.jsonl')).toEqual([refused(500, 'agent_stopped')]);
    expect(await serve()).toEqual({ thrown: 400, name: expect.stringContaining('nowhere') as unknown });
  });
});
