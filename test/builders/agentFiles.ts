import type { Diagnostic } from '../../src/contracts/diagnostic.ts';
import {
  parseAgentFile,
  type AgentFileReading,
  type AgentText,
} from '../../src/dexto/agentFile/parseAgentFile.ts';
import { builtIns } from '../../src/dexto/builtins/builtIns.ts';

export { builtIns };

/** What an agent file of the workspace /ship/app says. */
export function readAgentText(text: string, more: Partial<AgentText> = {}): AgentFileReading {
  return parseAgentFile({
    text,
    path: '/ship/app/.pincer/agent.yml',
    dir: '/ship/app/.pincer',
    origin: 'workspace',
    roots: ['/ship/app'],
    projectDir: '/ship/app',
    env: { OPENAI_API_KEY: 'sk-secret', PORT: '5433', KEY: 'value-of-key' },
    builtIns,
    ...more,
  });
}

/** `error agent_file_invalid 2:13` */
export function problemsOf(text: string, more: Partial<AgentText> = {}): readonly string[] {
  return readAgentText(text, more).diagnostics.map(problemText);
}

function problemText({ level, code, line = 0, column = 0 }: Diagnostic): string {
  return `${level} ${code} ${line}:${column}`;
}
