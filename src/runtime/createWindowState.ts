import type { Emitter } from '../base/event.ts';
import type { AgentFile } from '../dexto/agentFile/agentFile.ts';
import type { LoadedConfig } from '../config/loadConfig.ts';
import { mergeConfig, type PincerConfig } from '../config/mergeConfig.ts';
import { planAgentFile, type AgentFilePlan } from '../dexto/agentFile/planAgentFile.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

/** What a window loses and gains when its folders or its trust change. */
interface WindowChange {
  readonly losesTrust: boolean;
  readonly gainsTrust: boolean;
  readonly losesFolder: boolean;
}

/** What holds in a window now, and what changes it. */
export interface WindowState extends RuntimeState {
  /** The config files as they were read last. */
  readonly loaded: () => LoadedConfig;
  readonly setLoaded: (loaded: LoadedConfig) => void;
  /** What of the config files and the agent file has no effect. */
  readonly configProblems: () => readonly Diagnostic[];
  /** What was reported since the config was read, but for state files: what one has lost is told once, when it is read. */
  readonly problems: () => readonly Diagnostic[];
  readonly forgetProblems: () => void;
  /** Takes other folders and another trust. Who loses trust loses the turns that run: they have the tools of a trusted window. */
  readonly move: (to: { readonly folders: readonly string[]; readonly isTrusted: boolean }) => WindowChange;
  /** Cancels the turns that run. */
  readonly abort: (reason: unknown) => void;
}

interface WindowStateParts {
  readonly input: RuntimeInput;
  readonly changed: Emitter<void>;
  readonly models: ModelRegistry;
  /** The agent file that counts. */
  readonly agentFile: () => AgentFile | undefined;
  /** Names of this program's own tools. */
  readonly ownTools: () => readonly string[];
  /** A guard that is not there. */
  readonly missingGuard: () => Diagnostic | undefined;
}

export function createWindowState(parts: WindowStateParts): WindowState {
  const { input, changed, models } = parts;
  const { host } = input;
  let { folders, isTrusted } = input;
  let loaded: LoadedConfig = { ...mergeConfig({}, []), files: [] };
  let problems: readonly Diagnostic[] = [];
  let turns = new AbortController();
  /** The config with what the agent file says, and what of that file has no effect; worked out once for each of its parts. */
  let made:
    { readonly from: PincerConfig; readonly file: AgentFile; readonly plan: AgentFilePlan } | undefined;
  const withAgentFile = (): AgentFilePlan | undefined => {
    const from = loaded.config;
    const file = parts.agentFile();
    if (file === undefined) return undefined;
    if (made?.from !== from || made.file !== file) {
      const known = { tools: parts.ownTools(), models: models.list().map(({ info }) => info) };
      made = { from, file, plan: planAgentFile(file, from, known) };
    }
    return made.plan;
  };
  models.onDidChange(() => (made = undefined));
  return {
    config: () => withAgentFile()?.config ?? loaded.config,
    configProblems: () => [...loaded.diagnostics, ...(withAgentFile()?.diagnostics ?? [])],
    folders: () => folders,
    layout: () => ({ roots: folders, platform: host.platform }),
    isTrusted: () => isTrusted,
    problem: () => loaded.problem ?? parts.missingGuard(),
    signal: () => turns.signal,
    report(diagnostic) {
      const { code, message } = diagnostic;
      if (problems.some((each) => each.code === code && each.message === message)) return;
      problems = [...problems, diagnostic];
      host.log.write(diagnostic.level, diagnostic.message);
      changed.fire();
    },
    loaded: () => loaded,
    setLoaded(next) {
      loaded = next;
    },
    problems: () => problems,
    forgetProblems() {
      problems = problems.filter(({ code }) => code === 'state_unreadable');
    },
    move(to) {
      const change = {
        losesTrust: isTrusted && !to.isTrusted,
        gainsTrust: !isTrusted && to.isTrusted,
        losesFolder: folders.some((folder) => !to.folders.includes(folder)),
      };
      ({ folders, isTrusted } = to);
      if (change.losesTrust) {
        turns.abort();
        turns = new AbortController();
      }
      return change;
    },
    abort: (reason) => turns.abort(reason),
  };
}
