import type { z } from 'zod';
import type { PromptContributor } from './agentFile.ts';
import type { CheckPath } from './createAgentPathCheck.ts';
import type { systemPromptSchema } from './partSchemas.ts';
import { pathText, type Report } from './report.ts';

/** The texts of the system prompt that are switched on, lower priority first. */
export function toSystemPrompt(
  said: z.output<typeof systemPromptSchema>,
  checkPath: CheckPath,
  report: Report,
): readonly PromptContributor[] {
  if (typeof said === 'string')
    return said.trim() === '' ? [] : [{ id: 'systemPrompt', type: 'static', priority: 0, content: said }];
  const contributors = said.contributors.flatMap((each, index): readonly PromptContributor[] => {
    const { id, priority, type } = each;
    const path = ['systemPrompt', 'contributors', index];
    if (each.enabled === false) return [];
    switch (type) {
      case 'static':
        return [{ id, type, priority, content: each.content }];
      case 'dynamic':
        return [{ id, type, priority, source: each.source }];
      case 'file': {
        const one = each.file === undefined ? undefined : checkPath(each.file, [...path, 'file']);
        const files = (each.files ?? []).flatMap((file, at) => checkPath(file, [...path, 'files', at]) ?? []);
        if (each.file === undefined && each.files === undefined)
          report.add({
            level: 'error',
            code: 'agent_file_invalid',
            path,
            message: `${pathText(path)} has neither file nor files.`,
            hint: 'Add files: [./README.md].',
          });
        return [{ id, type, priority, files: one === undefined ? files : [one, ...files] }];
      }
      case 'memory':
        report.add({
          level: 'info',
          code: 'agent_file_key_idle',
          path,
          message: `The text "${id}" of the system prompt has no effect here: memories are found by search.`,
        });
        return [];
    }
  });
  return contributors.sort((a, b) => a.priority - b.priority);
}
