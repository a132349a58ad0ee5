import { describe, expect, it } from 'vitest';
import { readServers } from './readServers.ts';

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

  it.each(['{ "a": ', 'two\nlines', ''])('refuses %j', (text) => {
    expect(() => readServers(text)).toThrow(/no command line/u);
  });
});
