import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../ui/format-quantity.ts';
import { IconButton, Segmented, Spacer, TextField } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { findInText, readingsOf, type TextReading } from '../model/text-kind.ts';
import { Conversation } from './conversation.tsx';
import { JsonTree } from './json-tree.tsx';
import styles from './text-reader.module.css';

const labels: Record<TextReading['kind'], string> = {
  plain: 'Text',
  markdown: 'Markdown',
  json: 'JSON',
  chat: 'Chat',
};

/** A text in the way that suits it: a chat, JSON as a tree, Markdown, or as it is; with find. */
export function TextReader({
  text,
  isPart,
}: {
  text: string /** The rest of the text is not here. */;
  isPart?: boolean;
}) {
  const readings = useMemo(() => readingsOf(text), [text]);
  const [wanted, setWanted] = useState<TextReading['kind'] | null>(null);
  const reading = readings.find(({ kind }) => kind === wanted) ?? readings[0]!;
  return (
    <Reader
      ways={
        readings.length > 1 && (
          <Segmented
            label="Read as"
            value={reading.kind}
            onChange={setWanted}
            options={readings.map(({ kind }) => ({ value: kind, label: labels[kind] }))}
          />
        )
      }
      text={reading.kind === 'plain' ? text : null}
      facts={`${formatCount(text.length)} characters${isPart ? ', the beginning of a longer text' : ''}`}
    >
      {reading.kind === 'chat' && <Conversation turns={reading.turns} />}
      {reading.kind === 'json' && <JsonTree value={reading.value} />}
      {reading.kind === 'markdown' && <Markdown text={text} className={styles.markdown} />}
    </Reader>
  );
}

/** A value that is not text, such as a struct or a list, as a chat or a tree. */
export function ValueReader({ value }: { value: unknown }) {
  return <TextReader text={JSON.stringify(value, null, 2) ?? 'null'} />;
}

function Reader({
  text,
  ways,
  facts,
  children,
}: {
  /** Of a plain text, which can be searched. */
  text: string | null;
  ways: ReactNode;
  facts: string;
  children: ReactNode;
}) {
  const [word, setWord] = useState('');
  const [at, setAt] = useState(0);
  const found = useMemo(() => findInText(text ?? '', word), [text, word]);
  const current =
    found.starts.length === 0 ? 0 : ((at % found.starts.length) + found.starts.length) % found.starts.length;
  const step = (by: number) => setAt(current + by);
  return (
    <div className={styles.reader}>
      <div className={styles.tools}>
        {ways}
        <span className={styles.facts}>{facts}</span>
        <Spacer />
        {text !== null && (
          <>
            <TextField
              label="Find in the text"
              isLabelHidden
              placeholder="Find"
              value={word}
              onChange={(next) => {
                setWord(next);
                setAt(0);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
                if (event.key === 'Escape' && word !== '') {
                  event.stopPropagation();
                  setWord('');
                }
              }}
              className={styles.find}
            />
            <span className={styles.facts} role="status">
              {word !== '' &&
                (found.starts.length === 0
                  ? 'not found'
                  : `${current + 1} of ${formatCount(found.starts.length)}${found.isCut ? '+' : ''}`)}
            </span>
            <IconButton
              label="Previous place"
              size="s"
              icon={<ChevronUp />}
              isDisabled={found.starts.length === 0}
              onClick={() => step(-1)}
            />
            <IconButton
              label="Next place"
              size="s"
              icon={<ChevronDown />}
              isDisabled={found.starts.length === 0}
              onClick={() => step(1)}
            />
          </>
        )}
      </div>
      <div className={styles.body}>
        {text === null ? (
          children
        ) : (
          <PlainText text={text} starts={found.starts} length={word.length} current={current} />
        )}
      </div>
    </div>
  );
}

function PlainText({
  text,
  starts,
  length,
  current,
}: {
  text: string;
  starts: readonly number[];
  length: number;
  current: number;
}) {
  const mark = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is another scroll
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [current, starts]);
  const parts: ReactNode[] = [];
  let from = 0;
  starts.forEach((start, at) => {
    parts.push(text.slice(from, start));
    parts.push(
      <mark
        key={start}
        ref={at === current ? mark : undefined}
        className={at === current ? styles.here : styles.found}
      >
        {text.slice(start, start + length)}
      </mark>,
    );
    from = start + length;
  });
  parts.push(text.slice(from));
  return <pre className={styles.plain}>{parts}</pre>;
}
