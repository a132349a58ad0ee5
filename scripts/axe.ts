import { startScriptedModelServer, type ScriptedModelServer } from '../test/builders/scriptedModelServer.ts';
import { homeWithModel } from '../test/builders/homeWithModel.ts';
import { startEditor } from '../test/e2e/driver/startEditor.ts';
import { signature, type Finding } from './axe/findings.ts';
import { lookAtPlain } from './axe/lookAtPlain.ts';
import { answers, lookAtPincer, mcpServers, type PincerFindings } from './axe/lookAtPincer.ts';
import { lookAtTalk } from './axe/lookAtTalk.ts';
import { buildExtension } from './runProgram.ts';

/**
 * `axe`: looks through all that Pincer shows with axe, empty and filled, in three themes, in the real workbench; `axe talk` only at the
 * Chat view, channels and addresses. Lists what a workbench without Pincer does not have as well, and gives 1 where there is such a thing.
 */
export async function main([only]: readonly string[] = []): Promise<number> {
  if ((await buildExtension()) !== 0) return 1;
  const baseline = await lookAtPlain();
  const server = await startScriptedModelServer();
  const found: PincerFindings[] = [];
  try {
    if (only !== 'talk') found.push(await inEditor((editor) => lookAtMost(editor, server)));
    found.push(await inEditor((editor) => lookAtTalk(editor, server)));
  } finally {
    await server.dispose();
  }
  return report(baseline, {
    drawn: found.flatMap(({ drawn }) => drawn),
    own: found.flatMap(({ own }) => own),
  });
}

type Editor = Awaited<ReturnType<typeof startEditor>>;

async function inEditor(look: (editor: Editor) => Promise<PincerFindings>): Promise<PincerFindings> {
  const editor = await startEditor();
  try {
    return await look(editor);
  } finally {
    await editor.dispose();
  }
}

async function lookAtMost(editor: Editor, server: ScriptedModelServer): Promise<PincerFindings> {
  server.script(...answers);
  const bench = await editor.open({
    workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl, { gateway: { port: 0 }, mcp: { servers: mcpServers } }),
    fresh: 'views have to be empty first',
  });
  return await lookAtPincer(bench);
}

function report(baseline: readonly Finding[], { drawn, own }: PincerFindings): number {
  const known = new Set(baseline.map(signature));
  const isKnown = (finding: Finding): boolean => known.has(signature(finding));
  const ours = [...own, ...drawn.filter((finding) => !isKnown(finding))];
  const ofOurs = new Set(ours.map(signature));
  for (const key of ofOurs) {
    const findings = ours.filter((finding) => signature(finding) === key);
    const places = new Set(findings.map(({ place }) => place));
    console.log(`\n${key}: ${findings[0]?.help ?? ''}\n  ${[...places].join('; ')}`);
    console.log(`  ${findings[0]?.html.slice(0, 300) ?? ''}\n  ${findings[0]?.why ?? ''}`);
  }
  const kinds = (findings: readonly Finding[]): number => new Set(findings.map(signature)).size;
  console.log(
    `\naxe: ${ofOurs.size} kinds of findings of ours; ${kinds(baseline)} without Pincer, ${kinds(drawn.filter(isKnown))} of them in ours, too.`,
  );
  return ofOurs.size === 0 ? 0 : 1;
}
