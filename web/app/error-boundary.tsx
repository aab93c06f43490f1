import { Component, type ReactNode } from 'react';
import { tablesPath } from '../state/addresses.ts';
import { Button, ErrorNote } from '../ui/index.ts';

interface Props {
  children: ReactNode;
  /** A change of it tries again: the address. */
  resetKey?: string;
}

/** Keeps an error of one place from taking the whole page along, and offers ways out. */
export class ErrorBoundary extends Component<Props, { error: unknown; resetKey?: string }> {
  override state: { error: unknown; resetKey?: string } = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: { error: unknown; resetKey?: string }) {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    const isStale = isLostChunk(this.state.error);
    return (
      <ErrorNote
        isWhole
        error={this.state.error}
        title={isStale ? 'Curio was updated while this page was open.' : 'This screen cannot be shown.'}
        onRetry={isStale ? undefined : () => this.setState({ error: null })}
        actions={
          <>
            <Button size="s" onClick={() => location.reload()}>
              Reload the page
            </Button>
            <Button size="s" onClick={() => location.assign(tablesPath)}>
              All tables
            </Button>
          </>
        }
      />
    );
  }
}

const isLostChunk = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script/i.test(error.message);
