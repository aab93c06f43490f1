// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { kindOfAddress, Markdown } from './markdown.tsx';

afterEach(cleanup);

const html = (text: string): string => render(<Markdown text={text} />).container.innerHTML;

describe('Markdown', () => {
  test('shows what one expects of it', () => {
    const { container } = render(
      <Markdown
        text={
          '# Why\n\nOne **bold** `x < 1` and\nnext\n\n- a\n- [x] b\n\n| k | v |\n|---|---|\n| 1 | 2 |\n\n```\nlet a = "<b>"\n```'
        }
      />,
    );
    expect(container.querySelector('strong')?.textContent).toBe('bold');
    expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
      'x < 1',
      'let a = "<b>"',
    ]);
    expect(container.querySelectorAll('li')).toHaveLength(2);
    expect(container.querySelector<HTMLInputElement>('li input')?.checked).toBe(true);
    expect([...container.querySelectorAll('th,td')].map((cell) => cell.textContent)).toEqual([
      'k',
      'v',
      '1',
      '2',
    ]);
    expect(container.querySelector('br')).not.toBeNull();
  });

  test('marks names and reviews, not addresses', () => {
    const { container } = render(<Markdown text="@ann see #12, ask ben@home.org, `@code`" />);
    expect([...container.querySelectorAll('span')].map((span) => span.textContent)).toEqual(['@ann']);
    expect(container.querySelector('a[href="/reviews/12"]')?.textContent).toBe('#12');
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x()">b</b>',
    '![p](http://example.org/p.png)',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
  ])('brings no elements of its own: %s', (text) => {
    const { container } = render(<Markdown text={text} />);
    expect(container.querySelectorAll('script,img,b,svg,iframe,[onclick],[onerror]')).toHaveLength(0);
  });

  test.each([
    ['> ', 25_000],
    ['1. ', 16_000],
    ['- > ', 12_000],
    ['*', 40_000],
    ['a_', 25_000],
    ['a.', 25_000],
    ['[', 50_000],
  ])('shows what nobody can nest or mark: %s, %d times', (part, times) => {
    const { container } = render(<Markdown text={`see **this**\n\n${part.repeat(times)}x@y`} />);
    expect(container.textContent).toContain('x@y');
  });

  test('does not look for marks in paragraphs and texts that would hold up the page, and shows them whole', () => {
    const long = 'a_'.repeat(10_000);
    const { container } = render(<Markdown text={`**short**\n\n${long}**b**`} />);
    expect(container.querySelectorAll('strong')).toHaveLength(1);
    expect(container.textContent).toBe(`short${long}**b**`);
    const huge = `${'**b**\n\n'.repeat(40_000)}`;
    const whole = render(<Markdown text={huge} />).container;
    expect([whole.querySelector('strong'), whole.textContent]).toEqual([null, huge]);
  });

  test.each([
    ['[x](javascript:alert(1))'],
    ['[x](JaVaScRiPt:alert(1))'],
    ['[x](data:text/html,1)'],
    ['[x](//evil.example)'],
    ['[x](vbscript:1)'],
  ])('does not link %s', (text) => {
    expect(html(text)).not.toContain('href');
  });

  test('opens what is elsewhere without telling where from', () => {
    const { container } = render(<Markdown text="[x](https://example.org) https://lance.org" />);
    expect([...container.querySelectorAll('a')].map((link) => [link.href, link.rel, link.target])).toEqual([
      ['https://example.org/', 'noopener noreferrer nofollow', '_blank'],
      ['https://lance.org/', 'noopener noreferrer nofollow', '_blank'],
    ]);
  });

  test('deep nesting ends', () => {
    expect(html(`${'>'.repeat(500)} x`).length).toBeLessThan(20_000);
  });
});

test('addresses of this page, of elsewhere, and of neither', () => {
  expect(
    ['/t/a', '/api/v1/tables', 'https://a.b', 'mailto:a@b', '//a.b', '/\\a.b', 'file:///x', 'x'].map(
      kindOfAddress,
    ),
  ).toEqual(['page', 'elsewhere', 'elsewhere', 'elsewhere', 'none', 'none', 'none', 'none']);
});
