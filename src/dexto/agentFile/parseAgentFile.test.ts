import { describe, expect, it } from 'vitest';
import { problemsOf, readAgentText as read } from '../../../test/builders/agentFiles.ts';

describe('an agent file', () => {
  it('gives what counts, with every default: the example of the spec', () => {
    const { file, diagnostics } = read(`
plugins:
  contentPolicy:
    priority: 10
    maxInputChars: 10000
    redactEmails: true
    redactApiKeys: true
  responseSanitizer:
    priority: 900
    maxResponseLength: 50000
  custom:
    - name: tenant-auth
      module: "\${{dexto.agent_dir}}/plugins/tenant-auth.ts"
      enabled: true
      blocking: true
      priority: 100
      config:
        enforceQuota: true
    - name: audit-logger
      module: "\${{dexto.agent_dir}}/plugins/audit.ts"
      blocking: false
      priority: 1000
`);
    expect(diagnostics).toEqual([]);
    expect(file?.plugins).toEqual([
      {
        kind: 'builtin',
        name: 'contentPolicy',
        enabled: true,
        blocking: true,
        priority: 10,
        timeoutMs: 5_000,
        config: { maxInputChars: 10_000, redactEmails: true, redactApiKeys: true },
        dependsOn: [],
        line: 3,
      },
      expect.objectContaining({ name: 'responseSanitizer', blocking: false, priority: 900, line: 8 }),
      {
        kind: 'custom',
        name: 'tenant-auth',
        module: '/ship/app/.pincer/plugins/tenant-auth.ts',
        enabled: true,
        blocking: true,
        priority: 100,
        timeoutMs: 5_000,
        config: { enforceQuota: true },
        dependsOn: [],
        line: 12,
      },
      expect.objectContaining({ name: 'audit-logger', enabled: true, blocking: false, config: {} }),
    ]);
    expect(file?.storage).toEqual({
      database: { type: 'sqlite' },
      cache: { type: 'in-memory' },
      blob: { type: 'local' },
    });
  });

  it('may be empty, and sections whose content is commented out say nothing', () => {
    expect(read('').file?.plugins).toEqual([]);
    expect(read('# nothing\n').diagnostics).toEqual([]);
    const { file, diagnostics } = read('plugins:\n  custom:\nstorage:\nllm:\n');
    expect([file?.plugins, file?.llm, diagnostics]).toEqual([[], undefined, []]);
    expect(problemsOf('internalTools:\n')).toEqual(['error agent_file_invalid 1:15']);
    expect(problemsOf('- a\n')).toEqual(['error agent_file_invalid 1:1']);
  });

  it('names every key that has no effect, and stops where the slip would drop a guard', () => {
    const { file, diagnostics } = read('greeting: hi\nfoo: 1\nlmm: {}\n$schema: x\n');
    expect(file).toBeDefined();
    expect(diagnostics.map(({ level, code, line }) => [level, code, line])).toEqual([
      ['info', 'agent_file_key_idle', 1],
      ['warn', 'agent_file_key_unknown', 2],
      ['warn', 'agent_file_key_unknown', 3],
    ]);
    expect(diagnostics[2]?.hint).toContain('Did you mean llm?');
    for (const slip of ['plugin', 'pluggins', 'Plugins', 'tool_confirmation', 'internal-tools', 'hook']) {
      expect([slip, read(`${slip}: {}`).file]).toEqual([slip, undefined]);
    }
  });

  it.each([
    [
      'a value of the wrong type',
      'llm:\n  provider: 5\n  model: m\n',
      'error agent_file_invalid 2:13',
      'llm.provider',
    ],
    [
      'a key that is missing',
      'llm:\n  provider: x\n',
      'error agent_file_invalid 2:3',
      'llm.model is missing.',
    ],
    [
      'a slip beside what is harmless',
      'llm:\n  provider: x\n  model: y\n  modell: z\n',
      'warn agent_file_key_unknown 4:3',
      'llm.modell',
    ],
    [
      'a slip beside a denial',
      'toolConfirmation:\n  toolPolicies:\n    alwayDeny: [x]\n',
      'error agent_file_key_unknown 3:5',
      'toolConfirmation.toolPolicies.alwayDeny',
    ],
    [
      'an unknown choice',
      'toolConfirmation:\n  mode: always\n',
      'error agent_file_invalid 2:9',
      'toolConfirmation.mode',
    ],
    [
      'an unknown kind of storage',
      'storage:\n  cache:\n    type: memcached\n',
      'error agent_file_invalid 3:11',
      'storage.cache.type',
    ],
    [
      'the same rule under two names',
      'permissions: {}\ntoolConfirmation: {}\n',
      'error agent_file_invalid 1:1',
      'mean the same',
    ],
    [
      'no list of tools',
      'internalTools: yes-please\n',
      'error agent_file_invalid 1:16',
      'expected a list or false',
    ],
  ])('names %s, with line and column', (_what, yaml, problem, words) => {
    const [first, ...others] = read(yaml).diagnostics;
    expect(problemsOf(yaml)).toEqual([problem]);
    expect(first?.message).toContain(words);
    expect(first?.hint).toBeTruthy();
    expect(first?.source).toBe('/ship/app/.pincer/agent.yml');
    expect(others).toEqual([]);
  });

  it('reads model, prompts, approvals, tools and sessions in upstream’s words', () => {
    const { file, diagnostics } = read(`
llm: { provider: openai, model: gpt-5, apiKey: $OPENAI_API_KEY, maxIterations: 5, temperature: 0.5, router: vercel }
systemPrompt:
  contributors:
    - { id: late, type: static, priority: 9, content: "Costs $KEY" }
    - { id: files, type: file, priority: 5, files: ["\${{dexto.agent_dir}}/notes.md"] }
    - { id: off, type: dynamic, priority: 1, source: dateTime, enabled: false }
    - { id: time, type: dynamic, priority: 0, source: dateTime }
    - { id: memories, type: memory, priority: 40 }
permissions: { mode: manual, timeout: 5000, toolPolicies: { alwaysAllow: [a], alwaysDeny: [b] } }
internalTools: false
sessions: { maxSessions: 3, sessionTTL: 1000 }
`);
    expect(file?.llm).toEqual({
      provider: 'openai',
      model: 'gpt-5',
      apiKey: 'sk-secret',
      maxIterations: 5,
      temperature: 0.5,
      line: 2,
    });
    expect(file?.systemPrompt).toEqual([
      { id: 'time', type: 'dynamic', priority: 0, source: 'dateTime' },
      { id: 'files', type: 'file', priority: 5, files: ['/ship/app/.pincer/notes.md'] },
      { id: 'late', type: 'static', priority: 9, content: 'Costs $KEY' },
    ]);
    expect(file?.toolConfirmation).toEqual({
      mode: 'manual',
      timeout: 5_000,
      alwaysAllow: ['a'],
      alwaysDeny: ['b'],
    });
    expect(file?.internalTools).toEqual([]);
    expect(file?.sessions).toEqual({ maxSessions: 3, sessionTTL: 1_000 });
    expect(file?.secrets).toEqual(['sk-secret']);
    expect(diagnostics.map(({ level, line, message }) => [level, line, message])).toEqual([
      ['info', 2, 'llm.apiKey has no effect here: keys are kept where your own config says.'],
      ['info', 2, 'llm.router has no effect here.'],
      [
        'info',
        10,
        'permissions.toolPolicies.alwaysAllow has no effect here: approvals are remembered from your answers.',
      ],
      ['info', 12, 'sessions.maxSessions has no effect here.'],
      [
        'info',
        9,
        'The text "memories" of the system prompt has no effect here: memories are found by search.',
      ],
    ]);
    expect(read('systemPrompt: You help.').file?.systemPrompt).toEqual([
      { id: 'systemPrompt', type: 'static', priority: 0, content: 'You help.' },
    ]);
  });

  it('reads MCP servers, with variables by their names; a broken one stops nobody', () => {
    const { file, diagnostics } = read(`
mcpServers:
  files: { type: stdio, command: npx, args: [-y] }
  web: { type: http, url: "https://x.example/mcp", headers: { a: $MISSING_TOKEN } }
  old: { type: sse, url: "http://x.example" }
  broken: { type: ftp }
  off: { type: stdio, command: x, enabled: false }
`);
    expect(file?.mcpServers).toEqual([
      { name: 'files', type: 'stdio', line: 3, said: { type: 'stdio', command: 'npx', args: ['-y'] } },
      {
        name: 'web',
        type: 'http',
        line: 4,
        said: { type: 'http', url: 'https://x.example/mcp', headers: { a: '$MISSING_TOKEN' } },
      },
      { name: 'old', type: 'sse', line: 5, said: { type: 'sse', url: 'http://x.example' } },
    ]);
    expect(diagnostics.map(({ level, code, line }) => [level, code, line])).toEqual([
      ['warn', 'agent_file_invalid', 6],
    ]);
  });

  it('lets a file of the workspace name files of the workspace only', () => {
    const yaml =
      'storage: { database: { type: sqlite, path: /home/user/.bashrc }, blob: { type: local, storePath: /ship/app/blobs } }';
    expect(problemsOf(yaml)).toEqual(['error agent_file_path_outside 1:44']);
    expect(read(yaml, { origin: 'user' }).file?.storage.database).toEqual({
      type: 'sqlite',
      path: '/home/user/.bashrc',
    });
    expect(
      problemsOf(
        'systemPrompt: { contributors: [{ id: a, type: file, priority: 1, files: [/etc/passwd] }] }',
      ),
    ).toEqual(['error agent_file_path_outside 1:74']);
    expect(problemsOf('storage: { database: { type: sqlite, path: ../../../etc/x.db } }')).toEqual([
      'error agent_file_path_outside 1:44',
    ]);
    expect(problemsOf('storage: { database: { type: sqlite, path: ~/data.db } }')).toEqual([
      'error agent_file_path_relative 1:44',
    ]);
    expect(
      read('storage: { database: { type: sqlite, path: /ship/app/a/../b } }').file?.storage.database,
    ).toEqual({
      type: 'sqlite',
      path: '/ship/app/b',
    });
    expect(problemsOf('storage: { database: { type: sqlite, path: /ship/app/../application/x } }')).toEqual([
      'error agent_file_path_outside 1:44',
    ]);
  });

  it('makes one address of a server’s parts, and keeps its password secret', () => {
    const { file } = read(`
storage:
  database: { type: postgres, host: db.example, port: $PORT, user: app, password: "p@ss/word", database: plugins, maxConnections: 3 }
  cache: { type: redis, url: "rediss://:hidden-one@cache.example:6380/2" }
`);
    expect(file?.storage.database).toEqual({
      type: 'postgres',
      url: 'postgres://app:p%40ss%2Fword@db.example:5433/plugins',
      maxConnections: 3,
    });
    expect(file?.secrets).toEqual(['5433', 'p%40ss%2Fword', 'p@ss/word', 'hidden-one']);
    expect(problemsOf('storage: { cache: { type: redis } }')).toEqual(['error agent_file_invalid 1:19']);
    const wrong = read(
      'storage: { database: { type: postgres, url: "mysql://u:top-secret@h/d" } }',
    ).diagnostics;
    expect(wrong.map(({ code }) => code)).toEqual(['agent_file_invalid']);
    expect(JSON.stringify(wrong)).not.toContain('top-secret');
  });

  it('names keys of storage that have no effect, by the kind that they belong to', () => {
    const messages = read(
      'storage: { database: { type: in-memory, idleTimeoutMillis: 5 }, blob: { type: local, maxBlobSize: 9, cleanupAfterDays: 3 } }',
    ).diagnostics.map(({ message }) => message);
    expect(messages).toEqual([
      'storage.database.idleTimeoutMillis has no effect here.',
      'storage.blob.cleanupAfterDays has no effect here.',
    ]);
  });

  it('says a bounded number of things about a hostile file, soon, and none of it counts', () => {
    const plugins = Array.from({ length: 1_000 }, (_, at) => `{ name: a${at}, bloking: 1 }`).join(', ');
    const { file, diagnostics } = read(`plugins: { custom: [${plugins}] }`);
    expect(file).toBeUndefined();
    expect(diagnostics).toHaveLength(100);
    const folders = '${{dexto.agent_dir}}/'.repeat(10_000);
    expect(read(`systemPrompt: "${folders}"`).file).toBeDefined();
    expect(read(`mcpServers: { a: { type: stdio, command: "x${folders}" } }`).file).toBeDefined();
  });

  it('reads paths from the folder of the file on, as upstream does', () => {
    const { file, diagnostics } = read(`storage: { database: { type: sqlite, path: .dexto/data.db } }
systemPrompt: { contributors: [{ id: a, type: file, priority: 1, file: ./README.md, files: [docs/b.md] }] }
`);
    expect(diagnostics).toEqual([]);
    expect(file?.storage.database).toEqual({ type: 'sqlite', path: `${file?.dir ?? ''}/.dexto/data.db` });
    expect(file?.systemPrompt).toMatchObject([
      { files: [`${file?.dir ?? ''}/README.md`, `${file?.dir ?? ''}/docs/b.md`] },
    ]);
  });

  it('names the types that a storage can have', () => {
    const [problem] = read('storage: { database: { type: mysql } }').diagnostics;
    expect(problem).toMatchObject({
      message: 'storage.database.type: this value is not known here.',
      hint: 'Write one of in-memory, sqlite, postgres.',
    });
  });

  it('says once that a variable of a module is not known', () => {
    const { diagnostics } = read(
      'plugins: { custom: [{ name: a, module: "${{dexto.agentdir}}/p.ts", priority: 1 }] }',
    );
    expect(diagnostics).toMatchObject([{ hint: 'Did you mean ${{dexto.agent_dir}}?' }]);
  });

  it('never shows a value that came from the environment', () => {
    const yaml = (database: string): string =>
      `storage: { database: { ${database} } }\nplugins: { custom: [{ name: a, module: $KEY, priority: 1 }] }`;
    const diagnostics = ['type: postgres, url: $KEY', 'type: sqlite, path: $KEY', 'type: $KEY'].flatMap(
      (database) => read(yaml(database), { env: { KEY: './sk-very-secret' } }).diagnostics,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'agent_file_invalid',
      'agent_file_module_relative',
      'agent_file_module_relative',
      'agent_file_invalid',
      'agent_file_module_relative',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('sk-very-secret');
  });
});
