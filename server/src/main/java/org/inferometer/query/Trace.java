package org.inferometer.query;

import java.util.List;
import org.inferometer.promql.Expr;
import org.inferometer.store.Series;

/**
 * Watches an evaluation from node to node. Nodes are entered and left by the evaluating thread
 * only; what happens inside one may happen on several threads.
 */
interface Trace {
  /** Sees nothing and costs nothing. */
  Trace OFF =
      new Trace() {
        @Override
        public void enter(Expr node) {}

        @Override
        public void leave(Value value) {}

        @Override
        public void leave(List<Row> range) {}

        @Override
        public List<Series> selected(List<Series> series) {
          return series;
        }

        @Override
        public void reused() {}
      };

  void enter(Expr node);

  /** The node that was entered last has come to a value. */
  void leave(Value value);

  /**
   * The node that was entered last is a range, which doesn't become a value.
   *
   * @param range what it ranges over if that was evaluated: the rows of a subquery
   */
  void leave(List<Row> range);

  /** The node selects series; what is read from those returned is counted. */
  List<Series> selected(List<Series> series);

  /** The node's value is one that is there already. */
  void reused();
}
