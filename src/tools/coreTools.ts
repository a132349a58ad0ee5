// To add a core tool:
// 1. Write it in `core` with `createCoreTool`: its Zod schema, whether it may write, and `prepare`, which says what the call will touch
//    (`ToolEffect` in `contracts/tool.ts`) and gives what carries it out.
// 2. List it: a file tool in the table below and in `coreTools.test.ts`, any other one in `createToolSet` of `runtime/createToolSide.ts`.
// 3. Whether a call asks follows from its effects alone, by `approvals/decideAsk.ts`. A new kind of effect does not compile before that
//    file, `planGrantScope.ts` (what an "always" covers) and `createWiderAnswers.ts` (what a yes for the whole turn covers) know it;
//    test it in `decideAsk.test.ts`.
// 4. Add its name to a group in `policy/toolGroups.ts`, or to the profiles of `policy/toolProfiles.ts` that it belongs to.
// 5. Give `editor/chat/stepTexts.ts` what a step says once it is done, where the label alone does not.
// 6. Describe it in `docs/tools.md`, with a row of "What asks" for a new effect, then record the goldens again (docs/testing.md): every
//    turn sends the list of tools.
import type { AgentTool } from '../contracts/tool.ts';
import { createApplyPatchTool } from './core/applyPatch.ts';
import type { CoreToolDeps } from './core/coreTool.ts';
import { createEditTool } from './core/edit.ts';
import { createGlobTool } from './core/glob.ts';
import { createGrepTool } from './core/grep.ts';
import { createLsTool } from './core/ls.ts';
import { createReadTool } from './core/read.ts';
import { createWriteTool } from './core/write.ts';

/** The tools that read and change files, in the order in which models see them. */
const table = [
  createReadTool,
  createWriteTool,
  createEditTool,
  createApplyPatchTool,
  createLsTool,
  createGlobTool,
  createGrepTool,
] as const;

export function createCoreTools(deps: CoreToolDeps): readonly AgentTool[] {
  return table.map((create) => create(deps));
}
