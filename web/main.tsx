import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { applyTheme } from './state/theme.ts';

applyTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
