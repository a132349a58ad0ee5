/** What is known of a session while it runs. Nothing of it is kept once the session has ended. */
export interface SessionDraft {
  /** First line of the user's first request, as it was stored. */
  request: string;
  /** How often the user asked for something. */
  requests: number;
  outcome: string;
  /** Folder of the workspace; empty until a model was asked. */
  workspaceDir: string;
  readonly tools: Map<string, { done: number; failed: number }>;
  readonly files: Set<string>;
}

/** More than a note would show is not collected. */
const maxNames = 500;

export function createDraft(): SessionDraft {
  return {
    request: '',
    requests: 0,
    outcome: 'no answer',
    workspaceDir: '',
    tools: new Map(),
    files: new Set(),
  };
}

/** Counts a stored message of the user. Files and what plugins added are marked as context and are not their words. */
export function addRequest(draft: SessionDraft, parts: readonly object[]): void {
  draft.requests += 1;
  if (draft.request !== '') return;
  const own = parts.filter((part) => !('isContext' in part && part.isContext === true));
  const texts = own.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : ''));
  draft.request = texts.join('\n').trim().split(/\r?\n/u, 1)[0] ?? '';
}

export function addCall(draft: SessionDraft, tool: string, isDone: boolean): void {
  if (draft.tools.size >= maxNames && !draft.tools.has(tool)) return;
  const counts = draft.tools.get(tool) ?? { done: 0, failed: 0 };
  counts[isDone ? 'done' : 'failed'] += 1;
  draft.tools.set(tool, counts);
}

export function addFile(draft: SessionDraft, path: string): void {
  if (draft.files.size < maxNames) draft.files.add(path);
}
