import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { childrenOf, isForOtherType, partsOf } from './jsonSchemaParts.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';

/** How the description of a key begins that upstream knows and that changes nothing here. */
const idle = /^No effect(?: here)?(?:: (.*))?\.$/su;

/** Names the keys of a part that are taken and have no effect: those whose description says so. */
export function reportIdleKeys(schema: z.ZodType, value: unknown, path: KeyPath, report: Report): void {
  const walk = (parts: ReturnType<typeof partsOf>, each: unknown, at: KeyPath): void => {
    if (Array.isArray(each)) {
      const items = parts.flatMap((part) => childrenOf(part, 0));
      each.forEach((item: unknown, index) => walk(items, item, [...at, index]));
      return;
    }
    if (!isRecord(each)) return;
    const own = parts.filter((part) => !isForOtherType(part, each));
    for (const [key, inner] of Object.entries(each)) {
      const children = own.flatMap((part) => childrenOf(part, key));
      const found = children
        .map(({ description }) => idle.exec(String(description)))
        .find((match) => match !== null);
      if (found === undefined) walk(children, inner, [...at, key]);
      else reportIdle([...at, key], found[1]);
    }
  };
  const reportIdle = (at: KeyPath, why: string | undefined): void => {
    report.add({
      level: 'info',
      code: 'agent_file_key_idle',
      path: at,
      at: 'key',
      message: `${pathText(at)} has no effect here${why === undefined ? '' : `: ${why}`}.`,
    });
  };
  walk(partsOf(schema), value, path);
}
