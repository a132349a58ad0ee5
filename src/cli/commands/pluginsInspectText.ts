import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { inertLine } from '../../base/text.ts';
import { isRecord } from '../../base/json.ts';
import type { InspectedPlugin, InspectedTool, Inspection } from '../../plugins/inspect/inspectPlugins.ts';
import type { HookListing } from '../../plugins/pluginTypes.ts';
import { inertFact, inertMessage } from '../inert.ts';
import { describeCode } from './pluginsText.ts';

/** A page for people. `wasGranted`: conversation access was given for this look. */
export function describeInspection(
  { plugins, diagnostics, timings }: Inspection,
  wasGranted: boolean,
): string {
  const shown = new Set(plugins.flatMap((plugin) => plugin.diagnostics.map(({ message }) => message)));
  const others = diagnostics.filter(({ message }) => !shown.has(message));
  const needsIt = plugins.some(({ asks, hookNames }) => asks?.conversation === true && hookNames.length > 0);
  return [
    ...plugins.map(describePlugin),
    ...others.map((each) => `${each.level}: ${inertMessage(describeDiagnostic(each))}\n`),
    ...(wasGranted && needsIt
      ? ['Conversation access was granted for this look; where it is installed, you decide.\n']
      : []),
    ...(plugins.length > 1 ? [`${String(plugins.length)} plugins, ${duration(timings.totalMs)}\n`] : []),
  ].join('\n');
}

function describePlugin(plugin: InspectedPlugin): string {
  const { id, version, status, reason, description, origin, source, tools, hooks, timings } = plugin;
  const lines = [
    `${inertLine(id, 100)}${version === undefined ? '' : ` ${inertLine(version, 40)}`}: ${status}${status === 'loaded' ? '' : ` (${inertFact(reason)})`}`,
    ...(description === undefined ? [] : [`  ${inertLine(description, 300)}`]),
    `  ${origin}, ${inertFact(source)}`,
    ...(timings === undefined
      ? []
      : [`  loaded in ${duration(timings.loadMs)}, registered in ${duration(timings.registerMs)}`]),
    ...describeDexto(plugin),
    ...section('Tools', tools.flatMap(describeTool)),
    ...section('Hooks', hooks.map(describeHook)),
    ...section(
      'Commands',
      plugin.commands.map((name) => `/${inertFact(name)}`),
    ),
    ...section('Services', plugin.services.map(inertFact)),
    ...section('Also registers', describeOthers(plugin)),
    ...section(
      'What its files show',
      describeCode(plugin.asks).map((line) => line.trim()),
    ),
    ...section('Registered, without an effect here', plugin.unused.map(inertFact)),
    ...section(
      'Problems',
      plugin.diagnostics.map((each) => inertFact(`${each.level}: ${describeDiagnostic(each)}`)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Kinds that have a part of their own. */
const shownKinds: ReadonlySet<string> = new Set(['tool', 'hook', 'command', 'service']);

/** One line for each other kind that has an effect: `model provider: acme`. */
function describeOthers({ registrations, unused }: InspectedPlugin): readonly string[] {
  return Object.entries(registrations).flatMap(([kind, all]) => {
    const names = shownKinds.has(kind) ? [] : all.filter((name) => !unused.includes(`${kind} ${name}`));
    return names.length === 0 ? [] : [inertFact(`${kind}: ${names.join(', ')}`)];
  });
}

function describeDexto({ dexto }: InspectedPlugin): readonly string[] {
  if (dexto === undefined) return [];
  const { agentFile, priority, blocking, timeoutMs, dependsOn, points } = dexto;
  const limit = duration(timeoutMs);
  return [
    `  Dexto, named in ${inertFact(agentFile)}`,
    `  priority ${String(priority)}, ${blocking ? 'blocking' : 'not blocking'}, ${limit} at each point`,
    ...(dependsOn.length === 0 ? [] : [`  runs after ${inertFact(dependsOn.join(', '))}`]),
    ...section(
      'Extension points',
      points.map(
        ({ point, position, of, band }) => `${point}  ${String(position)} of ${String(of)}, ${band}`,
      ),
    ),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function describeTool({ name, description, parameters, optional }: InspectedTool): readonly string[] {
  const first = inertLine(description.split('\n')[0] ?? '', 160);
  const properties = isRecord(parameters['properties']) ? parameters['properties'] : {};
  const required = Array.isArray(parameters['required']) ? (parameters['required'] as unknown[]) : [];
  const names = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`));
  const call = inertFact(`${name}(${names.join(', ')})`);
  return [`${call}${optional ? ' [optional]' : ''}${first === '' ? '' : `  ${first}`}`];
}

function describeHook({ hook, priority, timeoutMs, position, of, only }: HookListing): string {
  const limit = timeoutMs === null ? 'no time limit' : duration(timeoutMs);
  const scope = only === undefined ? '' : inertFact(`only ${only.join(', ')}, `);
  return `${hook}  ${scope}priority ${String(priority)}, ${limit}, ${String(position)} of ${String(of)}`;
}

function duration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${String(Math.round(ms))} ms`;
}
