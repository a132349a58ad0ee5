// Threat: an index file that somebody else wrote, who wants a later query to run his triggers, views or expressions, or to
// fall over his rows. Nothing of it is used before its schema is ours to the letter and every row is sound.
import { tables } from './schema.ts';
import type { Statements } from './createStatements.ts';
import { toNumber, toText } from './columns.ts';

/**
 * Why a database can't be used as an index, as a sentence about the file; undefined where it can. @throws where SQLite can't read
 * it at all
 */
export function findFault(statements: Statements): string | undefined {
  return findStranger(statements) ?? findDamage(statements);
}

function findStranger({ all }: Statements): string | undefined {
  const found = all('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').map(([sql]) => toText(sql));
  const isOurs = found.length === tables.length && new Set([...found, ...tables]).size === tables.length;
  return isOurs ? undefined : 'Its tables are not those of an index.';
}

function findDamage({ first }: Statements): string | undefined {
  const check = toText(first('PRAGMA quick_check(1)')?.[0]);
  if (check !== 'ok') return `It is damaged: ${check}.`;
  const orphan = first('PRAGMA foreign_key_check');
  if (orphan !== undefined) return `It is damaged: rows of ${toText(orphan[0])} refer to missing ones.`;
  const [terms, last] = first('SELECT count(*), max(id) FROM terms') ?? [];
  const isWhole = toNumber(terms) === 0 || toNumber(last) === toNumber(terms) - 1;
  return isWhole ? undefined : 'It is damaged: terms are missing.';
}
