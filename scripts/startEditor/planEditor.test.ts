import { describe, expect, it } from 'vitest';

import { planEditor, type EditorFacts } from './planEditor.ts';

const bare: EditorFacts = { platform: 'linux', hasDisplay: true, wantsEditorHost: false };

describe('planEditor', () => {
  it('takes the VS Code that VSCODE_PATH names before the one on PATH', () => {
    const plan = planEditor({ ...bare, vscodePath: '/opt/code', codeOnPath: '/usr/bin/code' });
    expect(plan).toMatchObject({ kind: 'desktop', executable: '/opt/code', why: 'VSCODE_PATH names it' });
  });

  it('takes `code` on PATH even without a display: a remote terminal opens it elsewhere', () => {
    const plan = planEditor({ ...bare, hasDisplay: false, codeOnPath: '/usr/bin/code' });
    expect(plan).toMatchObject({ kind: 'desktop', executable: '/usr/bin/code' });
  });

  it('prefers the editor host where the user asks for it, whatever else there is', () => {
    const plan = planEditor({ ...bare, wantsEditorHost: true, vscodePath: '/opt/code' });
    expect(plan.kind).toBe('editor-host');
  });

  it('downloads VS Code where there is a display and no VS Code', () => {
    expect(planEditor(bare).kind).toBe('download');
    expect(planEditor({ ...bare, platform: 'darwin' }).kind).toBe('download');
  });

  it('downloads nothing on Linux without a display', () => {
    const plan = planEditor({ ...bare, hasDisplay: false });
    expect(plan).toEqual({
      kind: 'editor-host',
      why: 'there is no `code` on PATH and no display for a downloaded one',
    });
  });

  it('falls back to the editor host when the download failed, and says why', () => {
    const plan = planEditor({ ...bare, downloadProblem: 'no network' });
    expect(plan.kind).toBe('editor-host');
    expect(plan.why).toContain('no network');
  });

  it('says what to do where neither desktop nor editor host is possible', () => {
    const plan = planEditor({ ...bare, platform: 'win32', downloadProblem: 'no network' });
    expect(plan.kind).toBe('none');
    expect(plan.why).toContain('VSCODE_PATH');
    expect(planEditor({ ...bare, platform: 'darwin', wantsEditorHost: true }).kind).toBe('none');
  });
});
