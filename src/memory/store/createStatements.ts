import type { Database, SqlValue, Statement } from 'sql.js';
import { indexFailed } from './errors.ts';

export type Row = readonly SqlValue[];

/**
 * Statements of one database, each prepared at its first use and kept. What is called for the rows of a statement must not run
 * the same statement. @throws PincerError `memory_index_failed`
 */
export interface Statements {
  readonly run: (sql: string, ...values: readonly SqlValue[]) => void;
  readonly first: (sql: string, ...values: readonly SqlValue[]) => Row | undefined;
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly Row[];
  readonly each: (sql: string, values: readonly SqlValue[], take: (row: Row) => void) => void;
  /** All of `work` or, where it throws, nothing of it. */
  readonly inTransaction: <T>(work: () => T) => T;
}

export function createStatements(database: Database): Statements {
  const prepared = new Map<string, Statement>();
  const start = (sql: string, values: readonly SqlValue[]): Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    statement.bind([...values]);
    return statement;
  };
  const each: Statements['each'] = (sql, values, take) => {
    const statement = guarded(() => start(sql, values));
    try {
      while (guarded(() => statement.step())) take(statement.get());
    } finally {
      // Frees what was bound, and ends what was read.
      statement.reset();
    }
  };
  const run: Statements['run'] = (sql, ...values) => each(sql, values, () => undefined);
  return {
    run,
    each,
    first(sql, ...values) {
      let found: Row | undefined;
      each(sql, values, (row) => (found ??= row));
      return found;
    },
    all(sql, ...values) {
      const rows: Row[] = [];
      each(sql, values, (row) => rows.push(row));
      return rows;
    },
    inTransaction(work) {
      run('SAVEPOINT work');
      try {
        return work();
      } catch (error) {
        run('ROLLBACK TO work');
        throw error;
      } finally {
        run('RELEASE work');
      }
    },
  };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw indexFailed(error);
  }
}
