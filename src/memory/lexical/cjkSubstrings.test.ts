import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../markdown/readMarkdown.ts';
import { createLexicalIndex } from './createLexicalIndex.ts';
import { createTermDictionary } from './createTermDictionary.ts';
import { readPassageTerms } from './readPassageTerms.ts';

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
