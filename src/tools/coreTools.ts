import type { AgentTool } from '../contracts/tool.ts';
import { createApplyPatchTool } from './core/applyPatch.ts';
import type { CoreToolDeps } from './core/coreTool.ts';
import { createEditTool } from './core/edit.ts';
import { createGlobTool } from './core/glob.ts';
import { createGrepTool } from './core/grep.ts';
import { createLsTool } from './core/ls.ts';
import { createReadTool } from './core/read.ts';
import { createWriteTool } from './core/write.ts';

/** The tools that read and change files, in the order in which models see them. `createToolSide` adds the others. */
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
