// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';
import { TooltipProvider } from './tooltip.tsx';

afterEach(cleanup);

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <TooltipProvider>
      <textarea aria-label="Text" onKeyDown={(event) => event.key === 's' && setOpen(true)} />
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Save">
        <input aria-label="Name" autoFocus />
      </Dialog>
    </TooltipProvider>
  );
}

test('a dialog that a key opened gives the focus back to where it was', async () => {
  render(<Page />);
  const text = screen.getByRole('textbox', { name: 'Text' });
  text.focus();
  fireEvent.keyDown(text, { key: 's' });
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(text));
});
