/** What is known about the machine when `npm start` chooses a VS Code. */
export interface EditorFacts {
  readonly platform: NodeJS.Platform;
  /** Whether windows can open here. */
  readonly hasDisplay: boolean;
  /** `--editor-host` was given. */
  readonly wantsEditorHost: boolean;
  /** VSCODE_PATH, when set. */
  readonly vscodePath?: string;
  /** The `code` found on PATH. */
  readonly codeOnPath?: string;
  /** Why the download was tried and did not work. */
  readonly downloadProblem?: string;
}

/** Which VS Code to open, and the reason to tell. */
export type EditorPlan =
  | { readonly kind: 'desktop'; readonly executable: string; readonly why: string }
  | { readonly kind: 'download'; readonly why: string }
  | { readonly kind: 'editor-host'; readonly why: string }
  | { readonly kind: 'none'; readonly why: string };

/**
 * Chooses the VS Code that is nearest to the user: the one they name, the one they have, one that can be downloaded, the
 * VS Code server with a browser. A `download` that fails is asked about again with `downloadProblem`.
 */
export function planEditor(facts: EditorFacts): EditorPlan {
  const hasHost = facts.platform === 'linux';
  if (facts.wantsEditorHost) {
    return hasHost
      ? { kind: 'editor-host', why: '--editor-host asks for it' }
      : { kind: 'none', why: `--editor-host needs Linux, this is ${facts.platform}.` };
  }
  if (facts.vscodePath !== undefined) {
    return { kind: 'desktop', executable: facts.vscodePath, why: 'VSCODE_PATH names it' };
  }
  if (facts.codeOnPath !== undefined) {
    return { kind: 'desktop', executable: facts.codeOnPath, why: '`code` is on PATH' };
  }
  if (!facts.hasDisplay && hasHost) {
    return { kind: 'editor-host', why: 'there is no `code` on PATH and no display for a downloaded one' };
  }
  if (facts.downloadProblem === undefined) return { kind: 'download', why: 'there is no `code` on PATH' };
  const failed = `there is no \`code\` on PATH and VS Code could not be downloaded (${facts.downloadProblem})`;
  return hasHost
    ? { kind: 'editor-host', why: failed }
    : { kind: 'none', why: `${failed}. Install VS Code, or set VSCODE_PATH to its executable.` };
}
