import { describe, expect, it } from 'vitest';
import { createWriteJudge, pathsOf } from './judgeWrite.ts';

const judgeWrite = createWriteJudge();

describe('createWriteJudge', () => {
  it.each([
    '.git/hooks/pre-commit',
    '/work/repo/.git/config',
    'sub/module/.git/HEAD',
    '.GIT/config',
    '.git./config',
    '.git /config',
    'GIT~1/config',
    'C:\\repo\\.git\\config',
    'docs/../.git/config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    '.git',
  ])('blocks %s', (path) => {
    expect(judgeWrite([path]).kind).toBe('block');
  });

  it.each([
    'openclaw.plugin.json',
    '.pincer/plugins/guard/index.ts',
    '.vscode/tasks.json',
    'app/.vscode/settings.json',
    'AGENTS.md',
    '.npmrc',
    '.env',
    '.env.local',
    'packages/a/package.json',
    'PACKAGE.JSON',
    '.github/workflows/ci.yml',
  ])('asks about %s, and says why', (path) => {
    const verdict = judgeWrite([path]);
    expect(verdict.kind).toBe('ask');
    expect(verdict).toHaveProperty('why');
  });

  it.each([
    'README.md',
    'src/git/index.ts',
    '.gitignore',
    'docs/package.json.md',
    'environment.ts',
    'src/.vscode/readme.md',
  ])('lets %s pass', (path) => {
    expect(judgeWrite([path])).toEqual({ kind: 'allow' });
  });

  it('takes the strictest verdict over all paths of a call', () => {
    expect(judgeWrite(['README.md', '.env', '.git/config']).kind).toBe('block');
  });

  it('adds the rules of the settings', () => {
    const judge = createWriteJudge({ block: ['secrets/**'], ask: ['*.sql'] });
    expect(judge(['app/secrets/key.txt']).kind).toBe('block');
    expect(judge(['db/schema.sql']).kind).toBe('ask');
    expect(judge(['secrets.md']).kind).toBe('allow');
  });

  it('comes to an end for any path, however it is made', () => {
    const judge = createWriteJudge({ block: ['**/a*a*a*a*b/**/a*a*b'], ask: ['**/a/**/a/**/a/**/b'] });
    expect(judge(['a'.repeat(4_000), 'a/'.repeat(2_000)]).kind).toBe('allow');
  });
});

describe('pathsOf', () => {
  it('takes the paths as the call names them, then those that the host derived', () => {
    expect(pathsOf({ params: { path: 'a', content: 'b', to: 'c' }, derivedPaths: ['/w/a'] })).toEqual([
      'a',
      'c',
      '/w/a',
    ]);
  });
});
