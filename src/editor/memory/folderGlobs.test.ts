import { describe, expect, it } from 'vitest';
import { planFolderGlobs } from './folderGlobs.ts';

const nothing = { include: {}, exclude: {}, filesExclude: {} };

describe('planFolderGlobs', () => {
  it('leaves include to the config where no setting names a glob', () => {
    expect(planFolderGlobs(nothing)).toEqual({ exclude: [] });
    expect(planFolderGlobs({ ...nothing, include: { workspaceValue: [] } })).toEqual({ exclude: [] });
  });

  it('takes include from the narrowest place', () => {
    const include = { globalValue: ['**/*.md'], workspaceValue: ['docs/**'] };
    expect(planFolderGlobs({ ...nothing, include }).include).toEqual(['docs/**']);
    const narrower = { ...include, workspaceFolderValue: ['notes/**'] };
    expect(planFolderGlobs({ ...nothing, include: narrower }).include).toEqual(['notes/**']);
  });

  it('adds up the exclusions of every place: a workspace can not bring back what the user excludes', () => {
    const exclude = {
      globalValue: ['private/**'],
      workspaceValue: ['drafts/**'],
      workspaceFolderValue: ['x.md'],
    };
    expect(planFolderGlobs({ ...nothing, exclude }).exclude).toEqual(['private/**', 'drafts/**', 'x.md']);
  });

  it('takes of files.exclude what is switched on, and not what depends on a sibling', () => {
    const filesExclude = { '**/.git': true, '**/*.md': false, '**/*.js': { when: '$(basename).ts' } };
    expect(planFolderGlobs({ ...nothing, filesExclude }).exclude).toEqual(['**/.git']);
  });

  it('ignores what is no list of globs', () => {
    const exclude = {
      globalValue: 'docs',
      workspaceValue: [1, '', '  ', 'ok/**'],
      workspaceFolderValue: null,
    };
    expect(planFolderGlobs({ include: { globalValue: 7 }, exclude, filesExclude: 'no' })).toEqual({
      exclude: ['ok/**'],
    });
  });
});
