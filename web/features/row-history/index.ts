export { CellHistoryButton, type CellHistoryButtonProps } from './ui/cell-history-button.tsx';
export { RowHistoryPanel, type RowHistoryPanelProps } from './ui/row-history-panel.tsx';
