"""From a press to its answer: acknowledged first, admitted, carried out, and one edge for errors."""
