export { HistoryView, type HistoryViewProps } from './ui/history-view.tsx';
