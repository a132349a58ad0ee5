import { describe, expect, it } from 'vitest';
import { judgeWrite, pathsOf } from './judgeWrite.ts';

describe('judgeWrite', () => {
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
    const rules = { block: ['secrets/**'], ask: ['*.sql'] };
    expect(judgeWrite(['app/secrets/key.txt'], rules).kind).toBe('block');
    expect(judgeWrite(['db/schema.sql'], rules).kind).toBe('ask');
    expect(judgeWrite(['secrets.md'], rules).kind).toBe('allow');
  });
});

describe('pathsOf', () => {
  it('takes the paths that the host derived and those in the parameters', () => {
    expect(pathsOf({ params: { path: 'a', content: 'b', to: 'c' }, derivedPaths: ['/w/a'] })).toEqual([
      '/w/a',
      'a',
      'c',
    ]);
  });
});
