"""Training of the small networks on simulated pictures; needs the extra `train`, never used at run time.

    python -m vision.training.pictures PICTURES 700     # writes labelled pictures, the more the better
    python -m vision.training.cells tiles PICTURES 12   # likewise seven, faces and planks
    python -m vision.training.row PICTURES 10

Each writes vision/weights/NAME.onnx.gz. A network's state is kept beside the pictures, so that more pictures
and more rounds can be added later; remove NAME.pt there to begin anew.
"""
