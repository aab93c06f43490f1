import { cx } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { type ChatTurn, sideOf } from '../model/conversation.ts';
import styles from './text-reader.module.css';

/** A chat as a conversation: the person at one side, the model at the other, the rest between. */
export function Conversation({ turns }: { turns: readonly ChatTurn[] }) {
  return (
    <ol className={styles.chat} aria-label="Conversation">
      {turns.map(({ role, text, more }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are their places
        <li key={at} className={cx(styles.turn, styles[sideOf(role)])}>
          <span className={styles.role}>{role}</span>
          {text === '' ? !more && <em className={styles.nothing}>empty</em> : <Markdown text={text} />}
          {more && <pre className={styles.more}>{more}</pre>}
        </li>
      ))}
    </ol>
  );
}
