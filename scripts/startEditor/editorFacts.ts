import { findOnPath } from '../findOnPath.ts';
import type { EditorFacts } from './planEditor.ts';

/** Looks at this machine. */
export function editorFacts(wantsEditorHost: boolean, env = process.env): EditorFacts {
  const vscodePath = env['VSCODE_PATH'];
  const codeOnPath = findOnPath(process.platform === 'win32' ? ['code.cmd'] : ['code'], env['PATH']);
  return {
    platform: process.platform,
    hasDisplay: hasDisplay(process.platform, env),
    wantsEditorHost,
    ...(vscodePath === undefined || vscodePath === '' ? {} : { vscodePath }),
    ...(codeOnPath === undefined ? {} : { codeOnPath }),
  };
}

/** Whether windows can open: always on macOS and Windows, on Linux with an X or Wayland display. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true;
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((each) => each !== undefined && each !== '');
}
