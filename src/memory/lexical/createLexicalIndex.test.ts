import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../markdown/readMarkdown.ts';
import {
  createLexicalIndex,
  expandQuery,
  type RelevanceFeedback,
  type LexicalHit,
} from './createLexicalIndex.ts';
import { packTerms } from './createPostings.ts';
import {
  createTermDictionary,
  type PassageFields,
  type PassageTerms,
  readPassageTerms,
} from './lexicalTerms.ts';

const body = (text: string, more: Partial<PassageFields> = {}): PassageFields => ({
  title: 'note.md',
  keywords: '',
  headings: [],
  body: text,
  ...more,
});

/** An index whose passages are known by their place in the list. */
function indexOf(...all: readonly (string | PassageFields)[]) {
  const dictionary = createTermDictionary();
  const index = createLexicalIndex(dictionary);
  const terms: PassageTerms[] = [];
  const read = (fields: string | PassageFields): PassageTerms =>
    readPassageTerms(typeof fields === 'string' ? body(fields) : fields, dictionary);
  const put = (passage: number, fields: string | PassageFields): void => {
    const found = read(fields);
    terms[passage] = found;
    index.add(passage, found);
  };
  for (const [passage, fields] of all.entries()) put(passage, fields);
  const hits = (query: string, limit = 10): readonly LexicalHit[] => index.search(query, { limit });
  return {
    index,
    dictionary,
    put,
    terms,
    hits,
    found: (query: string, limit?: number): number[] => hits(query, limit).map(({ passage }) => passage),
    remove: (passage: number) => index.remove(passage, terms[passage]),
  };
}

describe('createLexicalIndex: order', () => {
  it('puts the passage first that has the rare term', () => {
    const { found } = indexOf('the tool runs', 'the tool asks for approval', 'the tool');
    expect(found('tool approval')[0]).toBe(1);
  });

  it('scores by BM25 with weighted counts, as worked by hand', () => {
    // Two passages of length 2, so the length holds back by k1 alone. "alpha" is in one of two: ln(1 + 1.5 / 1.5).
    const { hits } = indexOf('alpha alpha', 'beta gamma');
    const [hit] = hits('alpha');
    expect(hit?.bm25).toBeCloseTo(Math.log(2) * ((2 * (k1 + 1)) / (2 + k1)), 10);
  });

  it('finds passages that have only some of the terms', () => {
    expect(indexOf('approval broker').found('how does the approval window work')).toEqual([0]);
  });

  it('puts a hit in a heading, a name or the keywords before one in the text', () => {
    const plain = 'about approvals and more';
    const other = 'about this and more';
    expect(indexOf(plain, body(other, { headings: ['Approvals'] })).found('approvals')).toEqual([1, 0]);
    expect(indexOf(plain, body(other, { title: 'a/approvals.md' })).found('approvals')).toEqual([1, 0]);
    expect(indexOf(plain, body(other, { keywords: 'approvals' })).found('approvals')).toEqual([1, 0]);
  });

  it('counts a term more that the query repeats', () => {
    const { found } = indexOf('alpha', 'beta');
    expect(found('alpha beta beta')[0]).toBe(1);
    expect(found('beta alpha alpha')[0]).toBe(0);
  });

  it('finds a compound by its parts', () => {
    const { found } = indexOf('setup', 'a set of files', 'the filename');
    expect(found('how do I set it up')[0]).toBe(0);
    expect(found('file name')).toContain(2);
  });

  it('does not go by words that tell nothing, unless no other occurs', () => {
    const { found } = indexOf('what is this', 'a hook');
    expect(found('what is a hook')).toEqual([1]);
    expect(found('what is this')).toContain(0);
    expect(found('what is zanzibar')).toContain(0);
  });

  it('keeps equal passages in the order of their numbers', () => {
    const { found, put, remove } = indexOf('alpha', 'alpha', 'alpha');
    expect(found('alpha')).toEqual([0, 1, 2]);
    remove(0);
    put(0, 'alpha');
    expect(found('alpha')).toEqual([0, 1, 2]);
  });

  it('gives with a smaller limit the head of the same list', () => {
    const words = ['alpha', 'beta', 'gamma PROJ-1'];
    const { found } = indexOf(
      ...Array.from({ length: 60 }, (_, n) => `${words[n % 3] ?? ''} alpha ${'x '.repeat(n % 7)}`),
    );
    for (const query of ['alpha', 'alpha beta gamma', 'PROJ-1 beta', 'what x']) {
      const all = found(query, 100);
      expect(all.length).toBeGreaterThan(15);
      for (let limit = 0; limit < 60; limit += 1) expect(found(query, limit)).toEqual(all.slice(0, limit));
    }
  });

  it('looks only at what is accepted', () => {
    const { index } = indexOf('alpha alpha', 'alpha', 'alpha x');
    const hits = index.search('alpha', { limit: 1, accepts: (passage) => passage > 0 });
    expect(hits.map(({ passage }) => passage)).toEqual([1]);
  });
});

const k1 = 1.2;

describe('createLexicalIndex: exact', () => {
  const exact = (hits: readonly LexicalHit[]): [number, string | undefined][] =>
    hits.map((hit) => [hit.passage, hit.exact]);

  it.each(['PROJ-1234', 'proj-1234', '#140736', 'v2.3.1', 'a.b.c', 'src/a/b.ts', 'before_tool_call'])(
    'puts the passage first that holds %s',
    (id) => {
      const parts = id.split(/[-_./#]/).join(' ');
      const { hits } = indexOf(`${parts} ${parts} please`, `${'x '.repeat(300)} ${id} y`, 'other');
      expect(exact(hits(`please say what ${id} is`))).toEqual([
        [1, 'id'],
        [0, undefined],
      ]);
    },
  );

  it.each(['__init_subclass__', 'TS2322', 'fffe5a2b13bf9bff', 'CVE-2026-25593', 'console.log'])(
    'knows %s for an id',
    (id) => {
      const { hits } = indexOf('why is that so', `${'x '.repeat(300)}${id}.`);
      expect(exact(hits(`why is ${id} so`))[0]).toEqual([1, 'id']);
    },
  );

  it.each([
    'setup.md',
    'docs/setup.md',
    './docs/setup.md',
    'docs/setup',
    'docs/setup.md#L3-L9',
    '`docs/setup.md`',
    'SETUP.MD',
  ])('puts the file first that %s names', (name) => {
    const { hits } = indexOf(
      'how to setup docs setup docs setup docs setup docs',
      body('nothing', { title: 'docs/setup.md' }),
      'x',
    );
    expect(exact(hits(`see ${name}, please, for setup docs`)).slice(0, 1)).toEqual([[1, 'file']]);
  });

  it('takes a name without its extension where it is no ordinary word', () => {
    const file = (title: string) => body('nothing', { title });
    const { hits } = indexOf('x', file('notes/2026-02-15.md'), file('release-notes.md'), file('a/README.md'));
    expect(exact(hits('what happened on 2026-02-15'))[0]).toEqual([1, 'file']);
    expect(exact(hits('release-notes'))[0]).toEqual([2, 'file']);
    expect(exact(hits('the README'))[0]).toEqual([3, 'file']);
  });

  it.each([
    'how to setup docs',
    'a set-up and/or well-known state-of-the-art file, e.g. in the U.S.A',
    'a 2.5 fold rise in 1990 at mach-5',
    'readme',
    'other/setup.md',
  ])('takes the words of "%s" for no id or name', (query) => {
    const { hits } = indexOf(
      query,
      body('x', { title: 'docs/setup.md' }),
      body('x', { title: 'README.md' }),
      body('x', { title: '1990.md' }),
    );
    expect(hits(query).filter((hit) => hit.exact === 'file')).toEqual([]);
    if (!query.includes('.md')) expect(hits(query).filter((hit) => hit.exact !== undefined)).toEqual([]);
  });
});

describe('createLexicalIndex: changes', () => {
  it('forgets a passage that is removed, and replaces one that is added again', () => {
    const { found, put, remove, index } = indexOf('alpha', 'alpha');
    remove(0);
    remove(0);
    expect(found('alpha')).toEqual([1]);
    put(1, 'beta');
    expect(found('alpha')).toEqual([]);
    expect(found('beta')).toEqual([1]);
    expect(index.passages).toBe(1);
  });

  it('scores as if it had been built anew, whatever was added and removed before', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'PROJ-12', '世界');
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    const step = fc.record({ passage: fc.nat(12), text: fc.option(text, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), text, (steps, query) => {
        const changed = indexOf();
        const texts = new Map<number, string>();
        for (const { passage, text: next } of steps) {
          if (next === undefined) {
            if (changed.terms[passage] !== undefined) changed.remove(passage);
            texts.delete(passage);
          } else {
            changed.put(passage, next);
            texts.set(passage, next);
          }
        }
        const fresh = indexOf();
        for (const [passage, each] of texts) fresh.put(passage, each);
        expect(changed.index.passages).toBe(texts.size);
        const plain = (hits: readonly LexicalHit[]) =>
          hits.map(({ passage, bm25 }) => [passage, bm25.toFixed(9)]);
        expect(plain(changed.hits(query, 50))).toEqual(plain(fresh.hits(query, 50)));
      }),
    );
  });

  it('notices that a word of a query no longer occurs', () => {
    const { found, remove } = indexOf('what is this', 'zanzibar');
    expect(found('what is zanzibar')).toEqual([1]);
    remove(1);
    expect(found('what is zanzibar')).toEqual([0]);
  });

  it('scores as if it had been built anew after thousands came and went', () => {
    const text = (n: number): string => `alpha beta${n % 9} ${'gamma '.repeat(n % 23)}`;
    const changed = indexOf();
    for (let n = 0; n < 4_000; n += 1) changed.put(n % 50, text(n));
    const fresh = indexOf(...Array.from({ length: 50 }, (_, passage) => text(3_950 + passage)));
    const query = 'alpha beta3 gamma';
    const plain = (hits: readonly LexicalHit[]) =>
      hits.map(({ passage, bm25 }) => [passage, bm25.toFixed(9)]);
    expect(plain(changed.hits(query, 50))).toEqual(plain(fresh.hits(query, 50)));
  });

  it('takes no more room for passages that come and go', () => {
    const { put, remove, index, found } = indexOf();
    const bytes: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      for (let passage = 0; passage < 200; passage += 1)
        put(passage + round * 200, `alpha beta${passage} gamma${passage % 7}`);
      if (round > 0) for (let passage = 0; passage < 200; passage += 1) remove(passage + (round - 1) * 200);
      bytes.push(index.bytes);
    }
    expect(index.passages).toBe(200);
    expect(found('beta7')).toEqual([29 * 200 + 7]);
    expect(bytes.at(-1)).toBeLessThan((bytes[5] ?? 0) * 1.1);
  });
});

describe('createLexicalIndex: any text', () => {
  it.each([
    '',
    ' ',
    '"',
    'a AND',
    '(',
    '*',
    'NEAR/2',
    '\0',
    '\u0001note',
    '\uD800',
    '__proto__ constructor',
    '/',
    '#',
    '.md',
    '-'.repeat(5_000),
    'x'.repeat(100_000),
    'a-'.repeat(50_000),
    'a.'.repeat(50_000),
    '1-'.repeat(30),
    'a_'.repeat(31),
    '世'.repeat(20_000),
    'a "b" (c OR d) -e f:g^2 ~h',
  ])('answers the odd query %j', (query) => {
    expect(() => indexOf('alpha', 'note').hits(query)).not.toThrow();
  });

  it('takes any text for a passage and a query', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (inside, heading, query) => {
        const { hits } = indexOf(body(inside, { headings: [heading], title: heading }), 'alpha');
        for (const { bm25 } of hits(query)) expect(bm25).toBeGreaterThan(0);
      }),
    );
  });

  it('gives a hit for every word that occurs, words that tell nothing included', () => {
    const text =
      'What is the naïve café, and who said it? See docs/setup.md or PROJ-12, e.g. `beforeToolCall`. ' +
      'Größe, Ærø; C++ 2.5 % 世界設定 ニュース 한국어 설정 ไทย пример ἀρχή 𠮷野家 x_y __init__ --flag 1,000';
    const { hits } = indexOf(text, 'nothing');
    const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
    expect(words.length).toBeGreaterThan(30);
    for (const word of [...words, ...text.split(/\s+/)].filter((each) => /[\p{L}\p{N}]/u.test(each)))
      expect(hits(word)[0], word).toMatchObject({ passage: 0 });
  });

  it('finds accented words by plain ones and the other way round', () => {
    const { found } = indexOf('the café', 'a cafe', 'Ærøskøbing');
    expect(found('cafe').sort()).toEqual([0, 1]);
    expect(found('café')[0]).toBe(0);
    expect(found('aeroskobing')).toEqual([2]);
  });
});

describe('createLexicalIndex: explain', () => {
  it('tells what each term brought, which is the whole score', () => {
    const { index, hits, terms } = indexOf(
      'the setup of alpha_beta',
      body('x', { headings: ['Alpha'] }),
      'beta',
    );
    for (const query of ['how to set up alpha', 'alpha_beta beta', 'note.md alpha']) {
      for (const { passage, bm25 } of hits(query)) {
        const parts = index.explain(query, passage, terms[passage]!);
        expect(parts.reduce((sum, part) => sum + part.bm25, 0)).toBeCloseTo(bm25, 9);
        expect(parts.map((part) => part.bm25)).toEqual(
          parts.map((part) => part.bm25).toSorted((a, z) => z - a),
        );
      }
    }
    expect(index.explain('alpha', 1, terms[1]!).map(({ term }) => term)).toEqual(['alpha']);
  });
});

/** Notes in Chinese, Japanese and Korean; each with parts of its text that no other note has. */
const notes: readonly (readonly [string, readonly string[]])[] = [
  [
    '# 部署指南\n\n我们使用蓝绿部署来发布新版本，数据库迁移必须在切换流量之前完成。\n回滚只需要把流量切回旧环境。',
    ['部署', '蓝绿部署', '数据库迁移', '切换流量', '流量之前', '回滚', '旧环境', '布新版'],
  ],
  [
    '# 记忆系统\n\n助手会把重要的决定写进笔记，搜索时先找精确的编号，再按相关程度排序。',
    ['记忆', '重要的决定', '笔记', '精确的编号', '相关程度', '助手会'],
  ],
  ['# 餐廳\n\n星期五晚上在𠮷野家吃牛肉飯，記得先訂位。', ['𠮷野家', '牛肉飯', '訂位', '星期五', '晚']],
  [
    '# 設定ファイル\n\n環境変数を読み込む順番は、既定値、ユーザー設定、ワークスペース設定です。\nサーバーを再起\n動してください。',
    ['環境変数', '読み込む', 'ユーザー設定', 'ワークスペース', '再起動', '既定値', '込む順'],
  ],
  [
    '# 議事録\n\n来週の打ち合わせは木曜日の午後三時から。資料は田中さんが用意します。ﾌﾟﾚｾﾞﾝは十分。',
    ['議事録', '打ち合わせ', '木曜日', '午後三時', '田中さん', 'プレゼン', '分'],
  ],
  [
    '# さくら\n\nひらがなだけのぶんしょうも、きちんとみつかる。',
    ['ひらがな', 'ぶんしょう', 'みつかる', 'ちんと'],
  ],
  [
    '# 배포 절차\n\n서버를 재시작하기 전에 설정을 저장하고, 로그파일을 백업해야 합니다.',
    ['배포', '재시작', '설정', '로그파일', '백업', '작하기'],
  ],
  [
    '# 회의록\n\n다음주 월요일까지 검색품질을 개선하고, 색인속도를 측정하기로 했다.',
    ['회의록', '월요일', '검색품질', '색인속도', '측정', '질을'],
  ],
  [
    '# Glossary\n\nAPIキーはkeychainに保存する。GPU内存不足时重启worker进程。',
    ['APIキー', '内存不足', '重启', 'worker进程'],
  ],
];

const cases = notes.flatMap(([, parts], note) => parts.map((part) => ({ part, note })));

describe('a part of a Chinese, Japanese or Korean text', () => {
  const dictionary = createTermDictionary();
  const index = createLexicalIndex(dictionary);
  for (const [note, [text]] of notes.entries()) {
    for (const { headings, text: body } of readMarkdown(text, { tokens: 400, overlap: 80 }).passages)
      index.add(note, readPassageTerms({ title: `n${note}.md`, keywords: '', headings, body }, dictionary));
  }

  it('is tried fifty times at least', () => {
    expect(cases.length).toBeGreaterThanOrEqual(50);
  });

  it.each(cases)('finds its note first: $part', ({ part, note }) => {
    expect(index.search(part, { limit: 3 })[0]?.passage).toBe(note);
  });
});

/** A rarity of 1 for all, so that a gain is the score times how saturated the count is. */
const deps = {
  rarity: () => 1,
  saturate: (count: number) => count / (count + 1),
  isWord: (term: number) => term < 900,
};
const asked = new Map(Array.from({ length: 10 }, (_, term) => [term, 1]));
const best = (
  ...each: readonly (readonly [number, Readonly<Record<number, number>>])[]
): RelevanceFeedback[] =>
  each.map(([score, counts]) => ({
    score,
    terms: {
      packed: packTerms(new Map(Object.entries(counts).map(([term, count]) => [Number(term), count]))),
      length: 10,
    },
  }));

describe('expandQuery', () => {
  it('adds what two passages share, in proportion to what it gained, 0.3 of the query in all', () => {
    const expanded = expandQuery(
      asked,
      best([2, { 50: 1, 60: 1, 70: 3 }], [1, { 50: 1, 60: 3, 999: 1 }], [1, { 999: 1 }]),
      deps,
    );
    // 50: 2/2 + 1/2 = 1.5; 60: 2/2 + 3/4 = 1.75; together 0.3 × 10.
    expect(expanded.get(50)).toBeCloseTo((3 * 1.5) / 3.25, 10);
    expect(expanded.get(60)).toBeCloseTo((3 * 1.75) / 3.25, 10);
    expect([...expanded.keys()].filter((term) => term >= 10)).toEqual([60, 50]);
  });

  it('strengthens a term that was asked for', () => {
    expect(expandQuery(asked, best([1, { 3: 1 }], [1, { 3: 1 }]), deps).get(3)).toBeCloseTo(4, 10);
  });

  it('leaves a short query as it is, and one that found too little', () => {
    const short = new Map([...asked].slice(1));
    expect(expandQuery(short, best([1, { 50: 1 }], [1, { 50: 1 }]), deps)).toBe(short);
    expect(expandQuery(asked, best([1, { 50: 1 }]), deps)).toBe(asked);
    expect(expandQuery(asked, best([1, { 50: 1 }], [1, { 60: 1 }]), deps)).toEqual(asked);
  });

  it('adds ten terms at most, the most telling', () => {
    const counts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [100 + index, index + 1]));
    const expanded = expandQuery(asked, best([1, counts], [1, counts]), deps);
    expect(expanded.size).toBe(20);
    expect(expanded.has(129)).toBe(true);
    expect(expanded.has(110)).toBe(false);
  });
});
