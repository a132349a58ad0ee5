import { describe, expect, it } from 'vitest';
import { readServers, withOwnSecrets } from './readServers.ts';

const files = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem@1.0.0', '/data dir'] };

describe('readServers', () => {
  it.each([
    [
      'a command line',
      `npx -y @modelcontextprotocol/server-filesystem@1.0.0 '/data dir'`,
      'filesystem',
      files,
    ],
    ['Claude, Cursor, Cline', JSON.stringify({ mcpServers: { files } }), 'files', files],
    [
      'VS Code',
      JSON.stringify({ servers: { files: { type: 'stdio', ...files } }, inputs: [] }),
      'files',
      files,
    ],
    ['settings of VS Code', JSON.stringify({ mcp: { servers: { files } } }), 'files', files],
    [
      'Zed',
      JSON.stringify({ context_servers: { files: { command: { path: 'npx', args: files.args } } } }),
      'files',
      files,
    ],
    ['an entry alone', `"files": ${JSON.stringify(files)},`, 'files', files],
    ['a server alone', JSON.stringify(files), 'filesystem', files],
    ['a fenced block', `\`\`\`json\n${JSON.stringify({ mcpServers: { files } })}\n\`\`\``, 'files', files],
    ['an address', 'https://mcp.tides.example/v1', 'tides', { url: 'https://mcp.tides.example/v1' }],
    [
      'Windsurf',
      '{"mcpServers":{"t":{"serverUrl":"https://t.example/mcp"}}}',
      't',
      { url: 'https://t.example/mcp' },
    ],
  ])('reads the form of %s', (_what, text, name, config) => {
    expect(readServers(text)).toEqual({ servers: [{ name, config }], problems: [] });
  });

  it('makes references of variables and of inputs, so that no key stands in the config', () => {
    const env = { A: '${env:TOKEN}', B: '$TOKEN', C: '${input:key}', D: 'plain', E: 7 };
    expect(
      readServers(JSON.stringify({ mcpServers: { x: { command: 'x', env } } })).servers[0]?.config,
    ).toEqual({
      command: 'x',
      env: { A: { env: 'TOKEN' }, B: { env: 'TOKEN' }, C: { secret: 'mcp.key' }, D: 'plain', E: '7' },
    });
  });

  it('keeps what stands before a reference', () => {
    const headers = { Authorization: 'Bearer ${input:pat}', 'X-Key': 'key ${KEY}', Price: 'about $five' };
    const [found] = readServers(
      JSON.stringify({ servers: { x: { url: 'https://a.example', headers } } }),
    ).servers;
    expect(found?.config).toEqual({
      url: 'https://a.example',
      headers: {
        Authorization: { secret: 'mcp.pat', before: 'Bearer ' },
        'X-Key': { env: 'KEY', before: 'key ' },
        Price: 'about $five',
      },
    });
    expect(found && withOwnSecrets(found)).toMatchObject({
      headers: { Authorization: { secret: 'mcp.x.pat', before: 'Bearer ' } },
    });
  });

  it('takes the open folder for ${workspaceFolder}, and leaves out what holds a placeholder that nobody fills in', () => {
    const entries = {
      here: {
        command: 'x',
        args: ['${workspaceFolder}', '--in=${workspaceFolder}/src'],
        cwd: '${workspaceFolder}',
      },
      home: { command: 'x', args: ['${userHome}/notes'] },
      fallback: { command: 'x', env: { A: '${A:-b}' } },
      file: { command: 'x', envFile: '${workspaceFolder}/.env' },
      shell: { command: 'sh', args: ['-c', 'x ${TOKEN}'] },
    };
    const { servers, problems } = readServers(JSON.stringify({ servers: entries }));
    expect(servers).toEqual([
      { name: 'here', config: { command: 'x', args: ['.', '--in=./src'] } },
      { name: 'shell', config: { command: 'sh', args: ['-c', 'x ${TOKEN}'] } },
    ]);
    expect(problems).toEqual([
      'home was left out: nobody here fills in ${userHome}: write its value.',
      'fallback was left out: nobody here fills in ${A:-b}: write its value.',
      'file was left out: its envFile is not read: write its variables into env.',
    ]);
  });

  it.each([
    [
      'claude mcp add tides -e KEY=$TIDES -- npx -y tides-mcp --fast',
      { command: 'npx', args: ['-y', 'tides-mcp', '--fast'], env: { KEY: { env: 'TIDES' } } },
    ],
    [
      'claude mcp add --transport http tides https://t.example/mcp --header "Authorization: Bearer ${TOKEN}"',
      { url: 'https://t.example/mcp', headers: { Authorization: { env: 'TOKEN', before: 'Bearer ' } } },
    ],
    [
      'gemini mcp add tides docker run -i -e KEY img',
      { command: 'docker', args: ['run', '-i', '-e', 'KEY', 'img'], env: {} },
    ],
    ['codex mcp add tides --env A=b -- tides', { command: 'tides', args: [], env: { A: 'b' } }],
  ])('reads %s', (line, config) => {
    expect(readServers(line)).toEqual({ servers: [{ name: 'tides', config }], problems: [] });
  });

  it('reads a command that is one list of words', () => {
    const mcp = { tides: { type: 'local', command: ['npx', '-y', 'tides'], environment: { A: 'b' } } };
    expect(readServers(JSON.stringify({ mcp })).servers).toEqual([
      { name: 'tides', config: { command: 'npx', args: ['-y', 'tides'], env: { A: 'b' } } },
    ]);
  });

  it('says what it can not take over', () => {
    const text = JSON.stringify({
      mcpServers: {
        old: { type: 'sse', url: 'https://a.example' },
        none: {},
        'My Server!': { command: 'x' },
      },
    });
    const { servers, problems } = readServers(text);
    expect(servers).toEqual([{ name: 'My-Server', config: { command: 'x' } }]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('old SSE transport');
  });

  it('says where JSON is broken', () => {
    expect(() => readServers('{ "mcpServers": {\n  "x": { "command": "y" }\n')).toThrow(
      /The JSON is broken at line 2, column 26: close brace expected\./u,
    );
  });

  it.each(['two\nlines', ''])('refuses %j', (text) => {
    expect(() => readServers(text)).toThrow(/not a command line/u);
  });
});
