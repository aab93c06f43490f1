import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button, cx, ErrorNote } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import type { DraftPlace } from '../model/drafts.ts';
import { useDraft } from '../use-draft.ts';
import styles from './comment-form.module.css';

export interface CommentFormProps {
  reviewId: string;
  place: DraftPlace;
  /** Names the field: “Comment on gloss of tools-17”. */
  label: string;
  placeholder?: string;
  submitLabel: string;
  initial?: string;
  /** Sends the text; it is kept where this fails. */
  onSubmit: (text: string) => Promise<unknown>;
  onCancel?: () => void;
  /** Beside the buttons. */
  extra?: ReactNode;
  takesFocus?: boolean;
  isOneLine?: boolean;
}

/** A text in Markdown with a look at how it will stand. What was typed outlives a reload. */
export function CommentForm(props: CommentFormProps) {
  const { label, placeholder, submitLabel, onSubmit, onCancel, extra, takesFocus, isOneLine } = props;
  const [text, setText, discard] = useDraft(props.reviewId, props.place, props.initial);
  const [isPreview, setPreview] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isTouched, setTouched] = useState(false);
  const isOpen = !isOneLine || isTouched || text !== '';
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const isEmpty = text.trim() === '';
  useEffect(() => {
    if (!takesFocus) return;
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
    const frame = requestAnimationFrame(() => form.current?.scrollIntoView?.({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [takesFocus]);
  const send = async () => {
    if (isEmpty || isBusy) return;
    const sent = text.trim();
    setBusy(true);
    setError(null);
    setPreview(false);
    discard();
    try {
      await onSubmit(sent);
      setTouched(false);
    } catch (failure) {
      setText(sent);
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const cancel = () => {
    discard();
    setTouched(false);
    onCancel?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (isEmpty) cancel();
      else field.current?.blur();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the field and of its buttons
    <div ref={form} className={cx(styles.form, !isOpen && styles.closed)} onKeyDown={onKeyDown}>
      {isPreview ? (
        <div className={styles.preview}>
          <Markdown text={text} />
        </div>
      ) : (
        <textarea
          ref={field}
          aria-label={label}
          aria-describedby={isOpen ? hintId : undefined}
          placeholder={placeholder ?? label}
          className={styles.field}
          rows={isOpen ? Math.min(14, Math.max(3, text.split('\n').length + 1)) : 1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={() => setTouched(true)}
        />
      )}
      {isOpen && (
        <div className={styles.foot}>
          <span id={hintId} className={styles.hint}>
            Markdown, @name
          </span>
          {!isEmpty && (
            <Button size="s" look="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
              {isPreview ? 'Write' : 'Preview'}
            </Button>
          )}
          <span className={styles.space} />
          {extra}
          {(onCancel || (isOneLine && !isEmpty)) && (
            <Button size="s" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button
            size="s"
            look="primary"
            keys="Mod+Enter"
            isBusy={isBusy}
            whyNot={isEmpty && !isBusy ? 'Write something first.' : null}
            onClick={() => void send()}
          >
            {submitLabel}
          </Button>
        </div>
      )}
      <ErrorNote error={error} title="It was not sent; what you typed is kept." />
    </div>
  );
}
