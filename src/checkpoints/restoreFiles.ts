import type { RestoreItem, RestorePlan, RestoreResult } from './checkpoints.ts';
import type { BlobStore } from './createBlobStore.ts';
import type { Recorder } from './createRecorder.ts';
import { checkpointStale, contentLost } from './checkpointErrors.ts';
import { statusOf } from './summarizeTurn.ts';
import type { WorkspacePlaces } from './workspacePlaces.ts';

interface RestoreParts {
  readonly blobs: BlobStore;
  readonly places: WorkspacePlaces;
  readonly recorder: Recorder;
}

/** Carries out a plan, all of it or nothing, and records it like any other change, so that it can be undone. */
export async function restoreFiles(
  { blobs, places, recorder }: RestoreParts,
  plan: RestorePlan,
  overwrite: ReadonlySet<string>,
): Promise<RestoreResult> {
  const items = plan.items.filter((item) => isMeant(item, overwrite));
  if (items.length === 0) return { turnId: undefined, restored: [] };
  const contents = await Promise.all(
    items.map(async ({ path, label, target, mode }) => {
      const bytes = target === null ? null : await blobs.get(target);
      if (bytes === undefined) throw contentLost(label);
      return { path, bytes, ...(mode === undefined ? {} : { mode }) };
    }),
  );
  const runId = crypto.randomUUID();
  const call = { toolCallId: runId, turn: { runId, sessionId: plan.sessionId } };
  try {
    const pending = await recorder.begin('restore', contents, call);
    try {
      // Last, so that nothing comes between: what was written in the meantime is nobody's to overwrite.
      await Promise.all(items.map((item) => requireSame(places, item)));
      await places.write(contents);
    } catch (error) {
      await pending.failed();
      throw error;
    }
    await pending.done();
  } finally {
    recorder.endTurn(runId);
  }
  const restored = items.flatMap(({ path, label, current, target }) => {
    const status = statusOf(current, target);
    return status === undefined ? [] : [{ path, label, status }];
  });
  return { turnId: runId, restored };
}

function isMeant({ path, obstacle }: RestoreItem, overwrite: ReadonlySet<string>): boolean {
  return obstacle === undefined || (obstacle.kind !== 'refused' && overwrite.has(path));
}

async function requireSame(places: WorkspacePlaces, { path, label, current }: RestoreItem): Promise<void> {
  const now = await places.look(path);
  if (!('hash' in now) || now.hash !== current) throw checkpointStale(label);
}
