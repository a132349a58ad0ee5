import { z } from 'zod';
import { PincerError } from '../../../base/errors.ts';
import type { AgentTool, PreparedCall, ToolCall } from '../../../contracts/tool.ts';
import { createCoreTool } from '../coreTool.ts';
import { keepTextStyle } from '../keepTextStyle.ts';
import { prepareEdit } from '../prepareEdit.ts';
import { requirePath, type FoundPath } from '../requirePath.ts';
import { decidePath } from '../../paths/decidePath.ts';
import { flavourOf, segmentsBelow, type WorkspaceLayout } from '../../paths/workspaceLayout.ts';
import { addNote } from './addNote.ts';
import { whyNoMemory, type MemoryToolDeps } from './memoryToolDeps.ts';

const schema = z.strictObject({
  text: z.string().trim().min(1).max(20_000).describe('The note, in markdown.'),
  title: z.string().max(200).optional().describe('A few words above it.'),
  date: z.iso.date().optional().describe('Day of the note, such as 2026-01-31. Default today.'),
});

type AppendParams = z.infer<typeof schema>;

/**
 * `memory_append`: a dated note at the end of `memory/<day>.md` in the first folder. An edit like any other: shown, approved,
 * kept in the checkpoint and taken back as one.
 */
export function createMemoryAppendTool(deps: MemoryToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'memory_append',
      label: 'Add a note',
      description:
        'Adds a dated note to memory/YYYY-MM-DD.md, for what should be known in later sessions: decisions, facts, preferences the user asked to remember. Never secrets. The user sees the note and may refuse it.',
      schema,
      mayWrite: true,
      paths: (params) => {
        const path = notePath(deps.layout(), dayOf(params, deps.clock.now()));
        return path === undefined ? [] : [path];
      },
      prepare: (params, call) => prepareAppend(deps, params, call),
    },
    deps.layout,
  );
  return {
    ...tool,
    unavailable: () =>
      whyNoMemory(deps) ?? (deps.layout().roots.length === 0 ? 'no folder is open' : undefined),
  };
}

async function prepareAppend(
  deps: MemoryToolDeps,
  params: AppendParams,
  call: ToolCall,
): Promise<PreparedCall> {
  const off = whyNoMemory(deps);
  if (off !== undefined) throw new PincerError('memory_disabled', `memory_append is off: ${off}.`);
  const now = deps.clock.now();
  const day = dayOf(params, now);
  const file = await requireNote(deps, day);
  const before = (await deps.files.readText(file.path, file.root)) ?? null;
  const note = {
    day,
    time: day === localDay(now) ? localTime(now) : undefined,
    title: params.title ?? '',
    text: params.text,
  };
  const plain = before?.replaceAll('\r\n', '\n') ?? null;
  const after = keepTextStyle(before, addNote(plain, note));
  const prepared = prepareEdit(deps, call, [{ file, before, after }]);
  return {
    effects: prepared.effects,
    run: async (run) => {
      const result = await prepared.run(run);
      deps.memory.changed([file.path]);
      return result;
    },
  };
}

/** @throws PincerError `path_*`, `no_workspace`; `path_link` where the note would land somewhere else */
async function requireNote(deps: MemoryToolDeps, day: string): Promise<FoundPath> {
  const layout = deps.layout();
  const wanted = notePath(layout, day);
  const file = await requirePath(deps, wanted ?? `memory/${day}.md`, 'write');
  // Where the volume ignores case, the folder may be called Memory.
  if (wanted !== undefined && segmentsBelow(layout.platform, wanted, file.path)?.length === 0) return file;
  const label = wanted === undefined ? day : decidedLabel(layout, wanted);
  throw new PincerError('path_link', `${label} is a link or lies behind one; no note was written.`, {
    hint: 'Notes are written only where they really lie. Tell the user.',
  });
}

function decidedLabel(layout: WorkspaceLayout, path: string): string {
  const verdict = decidePath(layout, path, 'write');
  return verdict.kind === 'block' ? path : verdict.label;
}

function notePath({ roots, platform }: WorkspaceLayout, day: string): string | undefined {
  const [first] = roots;
  return first === undefined ? undefined : flavourOf(platform).join(first, 'memory', `${day}.md`);
}

function dayOf({ date }: AppendParams, now: number): string {
  return date ?? localDay(now);
}

/** `2026-01-31` where the user is. */
function localDay(now: number): string {
  const date = new Date(now);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function localTime(now: number): string {
  const date = new Date(now);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
